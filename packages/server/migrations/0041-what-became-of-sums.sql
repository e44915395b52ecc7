-- What became of a transaction after its decision, in the order of the organization's feed. The counters of analytics
-- follow the feed, and a row of transactions shows only its latest state. A row here is removed once every book has
-- counted it, so the table stays small. Numbers come from event_feeds, as those of events and changes do.
create table analytics_changes (
  organization_id uuid not null,
  number bigint not null,
  transaction_id uuid not null,
  held_before bigint not null,
  settled_before bigint not null,
  refunded_before bigint not null,
  code_before text not null,
  rule_before text,
  held_after bigint not null,
  settled_after bigint not null,
  refunded_after bigint not null,
  -- Another code only where the decision was declined too late.
  code_after text not null,
  rule_after text,
  primary key (organization_id, number)
);

create index analytics_changes_by_transaction
  on analytics_changes (organization_id, transaction_id, number);
