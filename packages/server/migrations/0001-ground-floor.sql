-- Organizations, API keys, agents, mandates, idempotency, plan usage.
--
-- Every tenant table leads its primary key with organization_id and no foreign key crosses
-- organizations, so the schema can be distributed by organization. Amounts are micros (bigint).
-- Constraints carry the name of the truth they keep; storage/constraint.ts turns the ones a caller
-- can break into problems.

create table installation (
  -- One row: a text sealed with the master key, so that a wrong key is noticed at the start and not
  -- when the first secret cannot be opened.
  only_row boolean primary key default true check (only_row),
  master_key_check bytea not null
);

create table organizations (
  id uuid primary key,
  name text not null,
  plan text not null,
  timezone text not null,
  currency text not null,
  frozen boolean not null default false,
  webhook_url text,
  webhook_secret bytea not null,
  webhook_secret_hint text not null,
  webhook_secret_rotated_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  public_id text not null,
  secret_hash bytea not null,
  name text not null,
  -- Null means every scope, and not bound to agents.
  scopes text[],
  agent_ids uuid[],
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint api_key_public_id_is_unique unique (public_id)
);

create table agents (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  description text,
  status text not null,
  external_id text,
  tags text[] not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_seen_at timestamptz,
  -- A deleted agent stays as a row, because its transactions do; no endpoint shows it again.
  deleted_at timestamptz,
  primary key (organization_id, id),
  constraint agent_status_is_known check (status in ('active', 'paused'))
);

create unique index external_id_is_unique on agents (organization_id, external_id)
  where external_id is not null and deleted_at is null;

-- The row that every decision locks and updates: only what changes with a decision or with the
-- mandate's state. What a version fixes (rules, name, zone) is in mandate_versions. The fill factor
-- leaves room in the page for the next version of the row, and no index holds a budget figure, so
-- that budget updates do not touch the indexes.
create table mandates (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  agent_id uuid not null,
  parent_id uuid,
  -- Everything above the mandate, nearest first. A mandate never moves, so this never changes, and one
  -- look-up finds the whole line that a spend draws on.
  ancestor_ids uuid[] not null,
  status text not null,
  version integer not null,
  budget_total bigint not null,
  budget_spent bigint not null default 0,
  budget_held bigint not null default 0,
  spent_period_start timestamptz,
  valid_from timestamptz,
  valid_until timestamptz,
  created_at timestamptz not null,
  activated_at timestamptz,
  revoked_at timestamptz,
  archived_at timestamptz,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint mandate_belongs_to_an_agent foreign key (organization_id, agent_id) references agents,
  constraint parent_mandate_exists foreign key (organization_id, parent_id) references mandates,
  constraint mandate_status_is_known check (status in ('draft', 'active', 'expired', 'revoked')),
  constraint budget_is_positive check (budget_total > 0),
  constraint held_is_part_of_spent check (budget_held >= 0 and budget_held <= budget_spent)
) with (fillfactor = 60);

create unique index one_active_mandate_per_agent on mandates (organization_id, agent_id)
  where status = 'active';
create index mandates_by_agent on mandates (organization_id, agent_id, id);
create index mandates_by_parent on mandates (organization_id, parent_id) where parent_id is not null;

-- What a mandate said at each version. Rows of a draft are rewritten; once the mandate has been
-- active they are history and only added to.
create table mandate_versions (
  organization_id uuid not null,
  mandate_id uuid not null,
  version integer not null,
  name text not null,
  currency text not null,
  timezone text not null,
  valid_from timestamptz,
  valid_until timestamptz,
  budget_period text not null,
  budget_total bigint not null,
  rules jsonb not null,
  changed_at timestamptz not null,
  -- The API key that made the change.
  changed_by uuid,
  -- SHA-256 of what the version says; decisions name it.
  policy_hash text not null,
  primary key (organization_id, mandate_id, version),
  constraint version_belongs_to_a_mandate foreign key (organization_id, mandate_id)
    references mandates on delete cascade,
  constraint budget_period_is_known
    check (budget_period in ('none', 'daily', 'weekly', 'monthly', 'yearly'))
);

-- The first answer to each Idempotency-Key, stored in the transaction that made the change. The
-- answer is sealed: some answers hold a secret that is shown once.
create table idempotency_keys (
  organization_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  answer bytea not null,
  created_at timestamptz not null,
  primary key (organization_id, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Evaluations counted against the plan, one row per organization and UTC month.
create table plan_usage (
  organization_id uuid not null references organizations (id),
  month date not null,
  evaluations bigint not null,
  primary key (organization_id, month)
);
