-- Webhooks: the order of events, what is still to be sent, what was sent.

alter table organizations
  -- Signs beside the new secret for as long as the rotation asked for.
  add column webhook_previous_secret bytea,
  add column webhook_previous_secret_until timestamptz;

-- The number of each organization's last event. Whoever stores events holds this row until the commit, so
-- numbers follow the order of commits without a gap: a reader that has seen number 7 has missed nothing
-- before it, and goes on from 8.
create table event_feeds (
  organization_id uuid primary key references organizations (id),
  last_number bigint not null
) with (fillfactor = 50);

alter table webhook_events
  add column number bigint,
  -- The data of a test event, which has no transaction.
  add column sample json,
  alter column transaction_id drop not null,
  alter column agent_id drop not null;

update webhook_events e set number = ranked.number
from (select organization_id, id,
             row_number() over (partition by organization_id order by occurred_at, id) as number
      from webhook_events) ranked
where e.organization_id = ranked.organization_id and e.id = ranked.id;

insert into event_feeds (organization_id, last_number)
select organization_id, max(number) from webhook_events group by organization_id;

alter table webhook_events alter column number set not null;
create index webhook_events_by_number on webhook_events (organization_id, number);

-- What is still to be sent, and only that: a row is written with the event and removed with the last
-- attempt, so the table stays small however long the history becomes.
create table webhook_queue (
  organization_id uuid not null,
  -- The event's own id, or another where somebody asked for the event to be sent again.
  id uuid not null,
  event_id uuid not null,
  -- The event's, so that what is due at the same instant leaves in its order.
  number bigint not null,
  is_manual boolean not null,
  -- While an attempt is under way this is the end of its lease: if nobody has ended it by then, the
  -- process that made it is gone.
  due_at timestamptz not null,
  attempt_id uuid,
  -- Failed attempts, and attempts of which nobody knows how they ended.
  failures integer not null default 0,
  interruptions integer not null default 0,
  primary key (organization_id, id)
);

create index webhook_queue_by_due on webhook_queue (organization_id, due_at);

-- One row per event that was sent or tried to be sent; it has the event's id. The body is made once, so that
-- every attempt sends and signs the same bytes.
create table webhook_deliveries (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Null when it was canceled before it was first sent.
  body text,
  status text not null,
  attempts integer not null,
  last_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint delivery_status_is_known
    check (status in ('pending', 'succeeded', 'failed', 'canceled'))
) partition by range (id);

create table webhook_deliveries_rest partition of webhook_deliveries default;

-- Every attempt. Written before the request leaves and completed afterwards, so that nothing is sent that is
-- not in the log.
create table webhook_attempts (
  organization_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  is_manual boolean not null,
  outcome text not null,
  url text not null,
  request_headers json not null,
  started_at timestamptz not null,
  duration_ms integer,
  status_code integer,
  error_class text,
  error_message text,
  response_headers json,
  response_body bytea,
  -- Why the body is not whole.
  response_cut text,
  remote_address text,
  next_attempt_at timestamptz,
  primary key (organization_id, id),
  constraint attempt_outcome_is_known
    check (outcome in ('started', 'succeeded', 'failed', 'interrupted'))
) partition by range (id);

create table webhook_attempts_rest partition of webhook_attempts default;

create index webhook_attempts_by_delivery on webhook_attempts (organization_id, delivery_id);
