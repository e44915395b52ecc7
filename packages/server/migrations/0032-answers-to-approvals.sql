-- Who said what about a request. Each answer is a row of its own, and none is changed afterwards.
create table approval_decisions (
  organization_id uuid not null,
  approval_id uuid not null,
  id uuid not null,
  decision text not null check (decision in ('approve', 'reject')),
  -- A key or a member, with its name as it was then.
  actor_kind text not null,
  actor_id uuid not null,
  actor_name text not null,
  comment text,
  max_amount bigint,
  decided_at timestamptz not null,
  primary key (organization_id, approval_id, id)
);

-- A person can make a vendor known to an agent before anything is paid there: then it has no price yet. An older
-- gateway that meets such a row fails its rule about prices, which rejects the spend.
alter table agent_vendors alter column last_amount drop not null;
