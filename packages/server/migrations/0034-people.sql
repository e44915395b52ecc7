-- People who sign in, and what they prove themselves with.
create table members (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- In one spelling. The row of somebody who was removed stays, because what they did names them.
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'approver', 'viewer')),
  status text not null check (status in ('active', 'removed')),
  created_at timestamptz not null,
  -- The id of the member who invited them, or 'cli'.
  created_by text not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index member_email_is_unique on members (organization_id, email) where status = 'active';

create table authenticators (
  organization_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('password')),
  -- Of a password its argon2id hash, with salt and costs.
  secret text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, member_id) references members (organization_id, id)
);
create unique index one_password_per_member on authenticators (organization_id, member_id) where kind = 'password';

-- What has to be found without an organization is in one place, and refers to nothing that is distributed.

-- One salt for all passwords of an address, so that one hash finds out in which organizations a password is right.
create table sign_in_names (
  email text primary key,
  salt bytea not null
);

create table sign_in_members (
  email text not null,
  organization_id uuid not null,
  member_id uuid not null,
  primary key (email, organization_id)
);

-- A session that has ended is removed.
create table sessions (
  organization_id uuid not null,
  id uuid not null,
  public_id text not null,
  secret_hash bytea not null,
  member_id uuid not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- It ends at the earlier of these two.
  idle_ends_at timestamptz not null,
  ends_at timestamptz not null,
  -- When the person has last given the password.
  reauthenticated_at timestamptz not null,
  user_agent text not null,
  address text not null,
  primary key (organization_id, id)
);
create unique index session_public_id_is_unique on sessions (public_id);
create index sessions_by_member on sessions (organization_id, member_id, id);
create index sessions_by_end on sessions (ends_at);

-- Links that are used once: to become a member, to choose another password, to be the first owner. One that was used or
-- withdrawn is removed.
create table invitations (
  organization_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  kind text not null check (kind in ('invite', 'reset', 'setup')),
  -- Null for the set-up, where the first owner names it.
  email text check (email is not null or kind = 'setup'),
  name text,
  role text not null check (role in ('owner', 'admin', 'approver', 'viewer')),
  -- Whose password is reset.
  member_id uuid check ((member_id is not null) = (kind = 'reset')),
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index invitation_token_is_unique on invitations (token_hash);
create index invitations_by_end on invitations (expires_at);

-- How often sign-in was tried for an account, or from an address, since its window began. The subject is a hash.
create table sign_in_attempts (
  subject text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index sign_in_attempts_by_end on sign_in_attempts (ends_at);
