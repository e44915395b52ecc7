-- Checkouts at merchants that speak the Agentic Commerce Protocol, each with the point that it has reached. The point is
-- stored before the call that follows from it, so that whoever finds the row knows what may have happened.

create table acp_checkouts (
  organization_id uuid not null,
  -- The id of its transaction.
  id uuid not null,
  -- managed: the gateway completes the session. delegated: the agent was given the token.
  mode text not null,
  state text not null,
  -- Grows with every change. Whoever has read another one works on it no longer.
  step bigint not null,
  agent_id uuid not null,
  mandate_id uuid,
  api_key_id uuid not null,
  vendor_id uuid not null,
  vendor text not null,
  session_id text not null,
  version text not null,
  merchant_id text not null,
  handler_id text,
  psp text not null,
  instrument_id text not null,
  currency text not null,
  -- What the token is worth, in the minor unit of the currency.
  max_minor bigint not null,
  -- When the token ends.
  token_ends_at timestamptz not null,
  fingerprint text not null,
  totals jsonb not null,
  line_items jsonb not null,
  -- The token, buyer and address, as long as they may be needed.
  sealed bytea,
  -- How often the merchant was asked to complete it with another body.
  completions integer not null,
  -- The merchant has said that nothing was paid.
  is_denied boolean not null,
  order_shown jsonb,
  failure jsonb,
  authentication jsonb,
  -- The last request that went on with it.
  resumed_key text,
  resumed_fingerprint bytea,
  -- What came back by each adjustment of an order, in micros, and what of it is booked.
  refunds jsonb not null,
  refunded bigint not null,
  waits_until timestamptz,
  checks integer not null,
  next_check_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint acp_mode_is_known check (mode in ('managed', 'delegated')),
  constraint acp_state_is_known check (state in (
    'held', 'minting', 'minted', 'completing', 'authenticating', 'unknown', 'handed', 'closing', 'completed',
    'settled', 'released')),
  constraint ended_acp_checkout_keeps_no_secret
    check (state not in ('settled', 'released') or (sealed is null and next_check_at is null))
);

-- A session is used up by a hold, whoever asks, until the hold is given back.
create unique index acp_session_is_used_once on acp_checkouts (organization_id, vendor_id, session_id)
  where state <> 'released';
create index acp_checkouts_by_check on acp_checkouts (next_check_at) where next_check_at is not null;
