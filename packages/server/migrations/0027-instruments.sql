-- Ways to pay of an organization: a stored payment method at an issuer, and the credential by which payment tokens are made
-- for it. The credential is sealed.
create table acp_instruments (
  organization_id uuid not null,
  -- The organization's own name for it.
  id text not null,
  -- As they were given: the first that an agent may use is its default.
  place integer not null,
  label text not null,
  issuer text not null,
  base_url text,
  -- As the issuer names the stored way to pay; never the number of a card.
  payment_method text not null,
  credential bytea not null,
  credential_hint text not null,
  -- Null: every agent may pay with it.
  agent_ids uuid[],
  primary key (organization_id, id),
  constraint acp_issuer_is_known check (issuer in ('stripe', 'delegate_payment')),
  constraint delegated_payment_has_an_address check (issuer = 'stripe' or base_url is not null)
);
