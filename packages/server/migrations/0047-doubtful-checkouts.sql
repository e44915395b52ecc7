-- The merchant has shown the checkout as completed, with a total that proves nothing: 0, more than the token was worth, or
-- an amount in another currency. Nothing that it says afterwards gives the hold back. An older gateway does not know it.
alter table acp_checkouts add column is_doubtful boolean not null default false;

-- Digests of the order events that were heard of a checkout, so that the same bytes again change nothing.
alter table acp_checkouts add column heard jsonb not null default '[]';

-- Open checkouts of a merchant by the end of their tokens: those that are long past it wait for a person.
create index open_acp_checkouts on acp_checkouts (organization_id, vendor_id, token_ends_at)
  where next_check_at is not null;
