-- x402: wallets that sign payments, and what was signed with them.

alter table organizations
  -- Whether the gateway may call vendors on behalf of agents.
  add column x402_fetch boolean not null default false;

create table wallets (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  -- In lower case.
  address text not null,
  kind text not null,
  -- The private key of a local wallet, or the secret that requests to a remote signer are signed with.
  sealed_secret bytea not null,
  signer_url text,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint wallet_kind_is_known check (kind in ('local', 'remote')),
  constraint remote_wallet_has_a_signer check ((kind = 'remote') = (signer_url is not null))
);

create unique index wallet_address_is_unique on wallets (organization_id, address);

-- One row for each authorization to move money, written with the decision that allows it and before
-- anything is signed. It holds all that is signed, so that the same authorization can be signed again: the
-- token takes a nonce once, and therefore at most one transfer ever follows from a row.
create table x402_payments (
  organization_id uuid not null,
  -- The id of its transaction.
  id uuid not null,
  wallet_id uuid not null,
  mode text not null,
  x402_version smallint not null,
  url text not null,
  network text not null,
  asset text not null,
  payer text not null,
  payee text not null,
  assurance text not null,
  -- In the token's own smallest units.
  value numeric(78) not null,
  nonce text not null,
  -- In seconds, as they are signed.
  valid_after bigint not null,
  valid_before bigint not null,
  -- The vendor's offer and what it says of the resource, as they came: both go back to the vendor.
  offer json not null,
  resource json,
  -- The chain's height before anything was signed: the transfer cannot be in an earlier block.
  from_block bigint,
  -- Set before a signature leaves the house: without it, nobody can cash anything. The signature is sealed,
  -- because whoever has it can; it is kept so that a repeated request gets the same one.
  handed_out_at timestamptz,
  signature bytea,
  state text not null,
  -- How the end is known, and by which transaction of the chain.
  proof text,
  chain_transaction text,
  ended_at timestamptz,
  -- When the chain is asked next, and how often it was asked.
  check_at timestamptz not null,
  checks integer not null default 0,
  -- The process that calls the vendor has until then; before it is over nobody else may.
  calling_until timestamptz,
  -- What the vendor delivered, sealed, for the agent that did not hear the answer.
  delivery bytea,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint signature_was_handed_out check ((signature is null) = (handed_out_at is null)),
  constraint payment_mode_is_known check (mode in ('sign', 'fetch')),
  constraint payment_state_is_known check (state in ('held', 'settled', 'released')),
  constraint ended_payment_has_a_proof check ((state = 'held') = (proof is null))
);

create index open_payments_by_check on x402_payments (check_at) where state = 'held';
create index open_payments_by_wallet on x402_payments (organization_id, wallet_id) where state = 'held';
create index deliveries_by_age on x402_payments (created_at) where delivery is not null;
