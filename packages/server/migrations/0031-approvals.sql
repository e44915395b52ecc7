-- Requests that wait for a person, and what became of them. What describes the purchase is in the transaction that
-- asked first, and goes with its details.
create table approvals (
  organization_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  mandate_id uuid not null,
  transaction_id uuid not null,
  path text not null,
  vendor text not null,
  category text,
  amount bigint not null,
  currency text not null,
  payee text,
  card_id uuid,
  -- The rules that asked: mandate, rule and a hash of its settings.
  lifts jsonb not null,
  -- Requests with the same digest are alike; while one waits, others join it.
  digest text not null,
  -- What waits, or can be used, reads as expired once its time is over, before anybody has noted it.
  status text not null check (status in ('pending', 'approved', 'rejected', 'expired', 'used')),
  -- How many spends have asked, and the keys and members that sent them, who cannot answer.
  asked integer not null check (asked > 0),
  asked_by uuid[] not null,
  -- Whether an approval makes the vendor known to the agent.
  makes_known boolean not null,
  waits_ms integer not null,
  -- The most that a person has allowed; null until then.
  max_amount bigint check (max_amount > 0 and max_amount <= amount),
  -- Until when it waits or, once it is approved, can be used.
  expires_at timestamptz not null,
  used_by uuid,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
) with (fillfactor = 80);
create index approvals_by_agent on approvals (organization_id, agent_id, id);
create index open_approvals on approvals (organization_id, agent_id) where status in ('pending', 'approved');
create index waiting_approvals on approvals (organization_id, expires_at) where status = 'pending';

-- The approval that a spend has asked for or used. Null for nearly all, so that a decision does not pay for it.
alter table transactions add column approval_id uuid;
