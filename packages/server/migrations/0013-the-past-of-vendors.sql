-- Rules about vendors are strict while they do not know all vendors that an agent has paid.

-- An agent whose past was too long to be looked at when such a rule came to govern it, until everything is looked at.
create table vendor_pasts (
  organization_id uuid not null,
  agent_id uuid not null,
  -- The mandate that is locked while some of it is learned.
  mandate_id uuid not null,
  -- The newest transaction that is still to be looked at.
  next_id uuid not null,
  started_at timestamptz not null,
  primary key (organization_id, agent_id)
);

-- When a price was noted: at a decision, or with the start of what it was learned by. What was noted before the
-- start may be out of date, because the agent had no such rule for a while. Null: before this version.
alter table agent_vendors add column noted_at timestamptz;
-- When a price was paid that was learned from the past, so that a later one can replace it.
alter table agent_vendors add column paid_at timestamptz;
