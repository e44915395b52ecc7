-- Limits that were added or widened later know what was spent before.

-- Which counters of a version know the past from before the mandate had them, and since which version they count:
-- {"day/all/,,": {"since": 3}}. Null: all of them count from the beginning of the mandate.
alter table mandate_versions add column origins jsonb;

-- A past that is too long to be counted while the mandate is locked is counted by and by. One row for each version of
-- a mandate that brought such counters, until they know everything. Rows up to this agent and transaction are counted,
-- in the order of (agent_id, transaction_id).
create table past_counts (
  organization_id uuid not null,
  mandate_id uuid not null,
  version integer not null,
  agent_id uuid not null,
  transaction_id uuid not null,
  -- Nothing before this id is inside any of the windows.
  from_id uuid not null,
  started_at timestamptz not null,
  primary key (organization_id, mandate_id, version)
);
