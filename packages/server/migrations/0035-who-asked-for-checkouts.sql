-- A member who has signed in can ask for a checkout as well as a key: api_key_id is the id of either. An older gateway
-- knows keys only, and need not say so.
alter table acp_checkouts
  add column asked_by_kind text not null default 'key'
    constraint acp_asker_is_known check (asked_by_kind in ('key', 'member'));
