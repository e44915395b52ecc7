-- What issuers asked about and told afterwards. Facts are only added; what they come to is worked out from them.

create table card_authorizations (
  organization_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  -- As the issuer names it.
  external_id text not null,
  -- Null: the card was not known, so no agent is.
  card_id uuid,
  agent_id uuid,
  currency text,
  -- What rules see of the merchant, and the little that is kept of what the network says of it.
  vendor text,
  category text,
  merchant jsonb,
  merchant_flags text[] not null,
  -- The transaction that carries money which nobody asked about.
  recorded_id uuid,
  held bigint not null,
  captured bigint not null,
  refunded bigint not null,
  flags text[] not null,
  -- Whether the transactions say what the facts say.
  is_booked boolean not null,
  -- More was told than is kept of one authorization.
  is_full boolean not null,
  -- When a worker looks at it next: to book it, or because its hold's time is over. Null: nothing is open.
  look_at timestamptz,
  -- When the issuer asked last.
  asked_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint card_balances_are_not_negative check (held >= 0 and captured >= 0 and refunded >= 0)
);

create unique index card_authorization_is_unique
  on card_authorizations (organization_id, connection_id, external_id);
create index card_authorizations_by_look on card_authorizations (look_at) where look_at is not null;

create table card_facts (
  organization_id uuid not null,
  connection_id uuid not null,
  -- The authorization, as the issuer names it.
  authorization_id text not null,
  kind text not null,
  id text not null,
  data jsonb not null,
  primary key (organization_id, connection_id, authorization_id, kind, id),
  constraint card_fact_kind_is_known
    check (kind in ('request', 'snapshot', 'release', 'capture', 'refund'))
);

-- Disputes name money only, and money counts once, whichever authorization it is told of.
create unique index card_money_counts_once on card_facts (organization_id, connection_id, id, kind)
  where kind in ('capture', 'refund');
