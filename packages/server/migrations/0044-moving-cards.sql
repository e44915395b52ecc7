-- A card can move to another agent, and the name of a closed card can be registered again.

drop index card_external_id_is_unique;
create unique index card_in_use_is_unique on cards (organization_id, connection_id, external_id)
  where status <> 'closed';
create index cards_by_external_id on cards (organization_id, connection_id, external_id);

-- Which agent had a card from when on, also over cards that were closed and registered again.
create table card_holders (
  organization_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  since timestamptz not null,
  card_id uuid not null,
  agent_id uuid not null,
  primary key (organization_id, connection_id, external_id, since)
);

insert into card_holders (organization_id, connection_id, external_id, since, card_id, agent_id)
select organization_id, connection_id, external_id, created_at, id, agent_id from cards;

-- A connection that nobody uses any more can be removed. Its row stays, because the record names it.
alter table card_connections
  drop constraint card_connection_status_is_known,
  add constraint card_connection_status_is_known
    check (status in ('active', 'disabled', 'removed')) not valid;
