-- The path and the query of a webhook URL are often the receiver's secret, so a URL is kept sealed, once.
-- Organizations and attempts name the copy, and show only the receiver: https://hooks.example.com/…
create table webhook_urls (
  organization_id uuid not null,
  id uuid not null,
  -- Bound to the id.
  sealed bytea not null,
  -- Null while the organization uses it.
  replaced_at timestamptz,
  primary key (organization_id, id)
);

alter table organizations add column webhook_url_id uuid;
alter table webhook_attempts add column url_id uuid;

-- Organizations whose URLs from before are still to be sealed, which a gateway does in steps after its
-- start, and how far it is with their attempts. The row goes with the last of them.
create table webhook_url_sealings (
  organization_id uuid primary key,
  after_id uuid not null
);

insert into webhook_url_sealings (organization_id, after_id)
select id, '00000000-0000-0000-0000-000000000000' from organizations;
