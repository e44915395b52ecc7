-- The task that sends failed deliveries again: at most one for each organization, the last one.
create table webhook_redeliveries (
  organization_id uuid primary key references organizations (id),
  status text not null,
  -- Null: from the oldest delivery on.
  from_at timestamptz,
  to_at timestamptz not null,
  total integer not null,
  sent integer not null default 0,
  failed integer not null default 0,
  -- The task has looked at the deliveries up to this id, and ends with the other one.
  after_id uuid not null,
  end_id uuid not null,
  -- Deliveries that the task has queued and whose attempt has not ended, and their queue entries.
  delivery_ids uuid[] not null default '{}',
  entry_ids uuid[] not null default '{}',
  started_at timestamptz not null,
  ended_at timestamptz,
  constraint redelivery_status_is_known check (status in ('running', 'done', 'stopped'))
);

create index webhook_redeliveries_running on webhook_redeliveries (organization_id)
  where status = 'running';
