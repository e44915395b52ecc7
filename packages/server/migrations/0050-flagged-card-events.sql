-- Money in another currency than its authorization's is kept as it was told; `converted` is what a person says it came to.
alter table card_facts
  drop constraint card_fact_kind_is_known,
  add constraint card_fact_kind_is_known check (kind in
    ('request', 'snapshot', 'release', 'capture', 'refund', 'foreign', 'converted')) not valid;

-- What issuers told and a person should look at: a few for each connection, the last ones.
create table card_flagged (
  organization_id uuid not null,
  connection_id uuid not null,
  what text not null,
  -- The money, or the hash of what could not be read: told twice, it is one.
  name text not null,
  at timestamptz not null,
  told jsonb not null,
  primary key (organization_id, connection_id, what, name)
);
