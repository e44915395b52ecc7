-- Cards: issuers that ask before they approve, and which of their cards belongs to which agent.

create table card_connections (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  provider text not null,
  name text not null,
  livemode boolean not null,
  status text not null,
  fail_mode text not null,
  -- In micros.
  fail_open_max_amount bigint,
  deadline_ms integer not null,
  partial_approvals boolean not null,
  pause_on_over_capture boolean not null,
  -- What the issuer signs with, sealed. After a change the value before is accepted for a while.
  authorization_secret bytea,
  authorization_secret_hint text,
  authorization_previous_secret bytea,
  authorization_previous_until timestamptz,
  events_secret bytea,
  events_secret_hint text,
  events_previous_secret bytea,
  events_previous_until timestamptz,
  -- When the issuer was last heard, and since when approvals wait for its first event.
  last_request_at timestamptz,
  last_event_at timestamptz,
  unheard_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint card_provider_is_known check (provider in ('stripe', 'lithic', 'generic')),
  constraint card_connection_status_is_known check (status in ('active', 'disabled')),
  constraint card_fail_mode_is_known check (fail_mode in ('closed', 'open')),
  constraint open_failure_has_a_limit check (fail_mode = 'closed' or fail_open_max_amount is not null)
);

-- Found without an organization, by what an issuer sends in the address. Only a hash is kept.
create table ingest_tokens (
  token_hash bytea primary key,
  organization_id uuid not null,
  connection_id uuid not null,
  -- Null: it is the connection's own. Otherwise another one took its place.
  ends_at timestamptz
);

create index ingest_tokens_by_connection on ingest_tokens (organization_id, connection_id);
create index ingest_tokens_by_end on ingest_tokens (ends_at) where ends_at is not null;

create table cards (
  organization_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  -- As the issuer names the card; never its number.
  external_id text not null,
  agent_id uuid not null,
  last4 text,
  currency text,
  label text,
  status text not null,
  status_reason text,
  -- What the issuer says, and when it said so by its own clock.
  provider_status text,
  provider_status_at timestamptz,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint card_belongs_to_a_connection
    foreign key (organization_id, connection_id) references card_connections (organization_id, id),
  constraint card_belongs_to_an_agent
    foreign key (organization_id, agent_id) references agents (organization_id, id),
  constraint card_status_is_known check (status in ('active', 'paused', 'closed')),
  constraint card_provider_status_is_known check (provider_status in ('active', 'paused', 'closed'))
);

create unique index card_external_id_is_unique on cards (organization_id, connection_id, external_id);
create index cards_by_agent on cards (organization_id, agent_id);
-- How many are in use is counted; closed ones may be many more.
create index cards_in_use on cards (organization_id) where status <> 'closed';

-- As whom issuers know the vendors of the directory. Vendors show them as they were written; here they are in
-- the form that is compared, so that one read finds the vendor of a merchant.
alter table vendors add column card_aliases jsonb not null default '[]';

create table vendor_card_aliases (
  organization_id uuid not null,
  key text not null,
  vendor_id uuid not null,
  constraint card_alias_is_unique primary key (organization_id, key)
);

create index card_aliases_by_vendor on vendor_card_aliases (organization_id, vendor_id);

-- Cards that issuers asked about and nobody has registered: a few for each connection.
create table unknown_cards (
  organization_id uuid not null,
  connection_id uuid not null,
  external_id text not null,
  last4 text,
  merchant_name text,
  -- In micros.
  amount bigint,
  currency text,
  seen_count bigint not null,
  last_at timestamptz not null,
  primary key (organization_id, connection_id, external_id)
);

-- What happened at a connection in an hour, as one process saw it. A process writes its rows anew as its
-- figures grow, so that writing the same figures twice changes nothing.
create table card_health (
  organization_id uuid not null,
  connection_id uuid not null,
  hour timestamptz not null,
  writer uuid not null,
  signature_failures bigint not null,
  timeouts bigint not null,
  ungoverned bigint not null,
  unknown_cards bigint not null,
  -- How many answers took up to each of the steps of the scale.
  latencies bigint[] not null,
  primary key (organization_id, connection_id, hour, writer)
);

create index card_health_by_age on card_health (hour);
