-- What mandate tokens are signed with: one set for the whole installation, shared by all processes, so these two
-- tables have no organization. Private keys and secrets are sealed.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk bytea not null,
  created_at timestamptz not null,
  -- Those who verify keep the published keys for a while, so a key is published before it signs.
  signs_from timestamptz not null,
  -- Until when it is published. Null: another key has not followed yet. The row stays, for disputes.
  retires_at timestamptz
);

create table installation_secrets (
  name text primary key,
  secret bytea not null,
  created_at timestamptz not null
);

-- Tokens are not stored. A row says that what was issued until an instant counts no more: one token, all tokens of a
-- mandate, of an agent, or of the organization. It is removed once no such token can live.
create table token_revocations (
  organization_id uuid not null,
  kind text not null check (kind in ('token', 'mandate', 'agent', 'organization')),
  subject uuid not null,
  -- Whose token it must be, because a key that is bound to agents revokes only theirs. All zeros: anybody's.
  agent_id uuid not null,
  revoked_at timestamptz not null,
  primary key (organization_id, kind, agent_id, subject)
);
create index token_revocations_by_time on token_revocations (revoked_at);
