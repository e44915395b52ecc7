-- Decisions: transactions, the counters that limits read, what is known about vendors, events.
--
-- History is partitioned by time. The ids are version 7 UUIDs, whose order is time, so the id itself is
-- the partition key: the primary key stays (organization_id, id), a look-up by id touches one partition,
-- and a range of time is a range of ids. Partitions are made ahead by storage/partitions.ts; what falls
-- outside of them lands in the default partition and is never refused.

alter table mandates
  -- What a card captured beyond its authorization is money that moved: it is booked as spent, and here as
  -- well, so that the check below stays true of every decision and honest about what decisions cannot stop.
  add column budget_overdrawn bigint not null default 0,
  add constraint overdrawn_is_not_negative check (budget_overdrawn >= 0),
  add constraint budget_never_overspent check (budget_spent - budget_overdrawn <= budget_total);

create table transactions (
  organization_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  mandate_id uuid,
  mandate_version integer,
  path text not null,
  decision text not null,
  status text not null,
  code text not null,
  amount bigint not null,
  currency text,
  vendor text not null,
  category text,
  reference text,
  reason text,
  metadata jsonb,
  remaining_budget bigint not null,
  -- json and not jsonb: the text is answered again to a repeated request, byte for byte.
  details json not null,
  held_amount bigint not null,
  settled_amount bigint not null,
  refunded_amount bigint not null,
  expires_at timestamptz,
  settled_at timestamptz,
  external jsonb,
  -- The keys of the counters it was counted in, a list; a void is taken out of exactly these.
  counted_in jsonb,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint decision_is_known check (decision in ('approved', 'rejected')),
  constraint transaction_status_is_known check (status in
    ('rejected', 'held', 'settled', 'voided', 'expired', 'partially_refunded', 'refunded')),
  constraint amounts_are_not_negative
    check (amount > 0 and held_amount >= 0 and settled_amount >= 0 and refunded_amount >= 0),
  constraint refund_is_part_of_settled check (refunded_amount <= settled_amount)
) partition by range (id);

create table transactions_rest partition of transactions default;

create index transactions_by_agent on transactions (organization_id, agent_id, id);
-- Only open holds are in it, so a decision that settles at once does not pay for it.
create index holds_by_expiry on transactions (expires_at) where status = 'held';

-- One row per event, written with the decision that raised it. The event of a transaction has the
-- transaction's own id: there can be only one. The body is made from the transaction when it is sent.
create table webhook_events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  transaction_id uuid not null,
  -- For budget events: whose budget, and what it was at that moment.
  mandate_id uuid,
  agent_id uuid not null,
  budget_total bigint,
  budget_spent bigint,
  occurred_at timestamptz not null,
  primary key (organization_id, id)
) partition by range (id);

create table webhook_events_rest partition of webhook_events default;

-- Sums of approved spends per window, a row for each counter: when it expires, then (start, count, amount) of
-- each bucket.
-- The day on which nothing of it counts any more is coarse, so that most updates leave the index alone.
create table limit_counters (
  organization_id uuid not null,
  key text not null,
  buckets bigint[] not null,
  expires_on date not null,
  primary key (organization_id, key)
) with (fillfactor = 70);

create index limit_counters_by_expiry on limit_counters (expires_on);

create table agent_vendors (
  organization_id uuid not null,
  agent_id uuid not null,
  vendor text not null,
  first_at timestamptz not null,
  last_amount bigint not null,
  primary key (organization_id, agent_id, vendor)
) with (fillfactor = 70);

-- A decision's answer is made from its transaction, so its key holds the transaction instead of an answer.
alter table idempotency_keys
  alter column answer drop not null,
  add column transaction_id uuid,
  add constraint key_has_one_answer check ((answer is null) <> (transaction_id is null));
