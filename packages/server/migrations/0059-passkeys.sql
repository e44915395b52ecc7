-- The passkeys with which members sign in instead of a password. The browser sends the organization and the member with
-- each answer (the user handle), so a passkey is never searched in all organizations.
create table passkeys (
  organization_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- Names the key pair, in base64url.
  credential_id text not null,
  -- In the form of COSE (RFC 9052).
  public_key bytea not null,
  name text not null,
  -- How the browser reaches the authenticator, such as 'internal' or 'usb'.
  transports text[] not null,
  -- Whether the passkey can be copied to other devices of its owner.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- An authenticator may count its signatures. A lower number than the last one reveals a copy.
  sign_count bigint not null,
  primary key (organization_id, id),
  foreign key (organization_id, member_id) references members (organization_id, id)
);
create unique index passkey_of_member_is_unique on passkeys (organization_id, member_id, credential_id);

-- Codes that sign a member in once, instead of a password or passkey. Only hashes are stored. A used code stays, so that
-- the rows change only with a change record.
create table recovery_codes (
  organization_id uuid not null,
  member_id uuid not null,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, member_id, code_hash),
  foreign key (organization_id, member_id) references members (organization_id, id)
);

-- How a member signed in. Null: not a sign-in, or noted by an older gateway.
alter table sign_in_notes add column method text check (method in ('password', 'passkey', 'recovery_code'));
