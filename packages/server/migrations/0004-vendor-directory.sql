-- What an organization knows of its vendors: what they sell, and where their money goes.

create table vendors (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- In normal form, as a spend names it.
  host text not null,
  name text,
  -- Comes before what an agent says of a spend.
  category text,
  -- [{network, address}]: the only addresses that may be paid for this host, where there are any.
  x402_payees jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

create unique index vendor_host_is_unique on vendors (organization_id, host);
