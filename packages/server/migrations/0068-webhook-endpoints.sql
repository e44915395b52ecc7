-- Several webhook endpoints per organization. The first one stays in the organization's row (webhook_url, webhook_events,
-- webhook_secret), where older gateways read and write it. Its id is the organization's, and its row here has only its
-- state.
create table webhook_endpoints (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- The receiver, and the sealed copy of the whole URL, as in the organization's row. Null for the first endpoint.
  url text,
  url_id uuid,
  events text[],
  secret bytea,
  secret_hint text,
  secret_rotated_at timestamptz,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The endpoint receives the events after this number of the feed.
  after_number bigint not null default 0,
  -- Whether a person has paused it.
  is_paused boolean not null default false,
  -- Set while it is paused, by a person or because every attempt failed. Its deliveries wait.
  paused_at timestamptz,
  -- The first failed attempt since the last one that succeeded.
  failing_since timestamptz,
  created_at timestamptz,
  primary key (organization_id, id)
);

-- The kinds of all endpoints together, so that a decision knows from its organization's row what to queue. Null unless
-- there is, or was, an endpoint beside the first one: then entries of the queue are for the first endpoint.
alter table organizations add column webhook_kinds text[];

alter table webhook_queue
  -- Null: for the first endpoint, or not yet divided among the endpoints.
  add column endpoint_id uuid,
  -- Null: the delivery has the id of its event.
  add column delivery_id uuid;

-- A decision adds an entry to the first of these indexes alone. The entries of a paused endpoint are in neither range
-- that the dispatcher reads.
drop index webhook_queue_by_due;
create index webhook_queue_by_due on webhook_queue (organization_id, due_at) where endpoint_id is null;
create index webhook_queue_by_endpoint on webhook_queue (organization_id, endpoint_id, due_at)
  where endpoint_id is not null;

alter table webhook_deliveries
  -- Null: the first endpoint, whose deliveries have the ids of their events.
  add column endpoint_id uuid,
  add column event_id uuid;

create index webhook_deliveries_by_endpoint on webhook_deliveries (organization_id, endpoint_id, id)
  where endpoint_id is not null;
create index webhook_deliveries_by_event on webhook_deliveries (organization_id, event_id)
  where event_id is not null;
