-- Every administrative change: who did what to which thing, and what it was before and after. Rows are only
-- added. Numbers come from event_feeds, so changes and events have one order, that of their commits; the
-- numbers of either alone have gaps. There is no foreign key: without a feed there would be no number.
create table changes (
  organization_id uuid not null,
  number bigint not null,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null,
  -- Of a key or a member. The operator and the gateway itself have none.
  actor_id uuid,
  actor_name text,
  operation text not null,
  subject_type text not null,
  -- As the API shows it.
  subject_id text not null,
  -- Only the fields that differ, without secrets. Null: it was not there before, or is gone afterwards.
  before json,
  after json,
  primary key (organization_id, number),
  constraint change_actor_is_known check (actor_kind in ('key', 'member', 'cli', 'system')),
  constraint change_has_its_actor check (actor_kind in ('cli', 'system') or actor_id is not null)
);

-- Who changed it last, and for what never changes, who made it: key_…, mem_…, cli or system. Null: before this
-- was kept, or by an older gateway.
alter table organizations add column updated_by text;
alter table agents add column updated_by text;
alter table mandates add column updated_by text;
alter table vendors add column updated_by text;
alter table wallets add column created_by text;
alter table card_connections add column updated_by text;
alter table cards add column updated_by text;

-- Versions name the key that made them in changed_by. A member has a column of its own, so that an older
-- gateway that rewrites a draft leaves no id that could be taken for another kind.
alter table mandate_versions add column changed_by_member uuid;
