-- The audit log of each organization: a Merkle tree of RFC 6962 whose leaves are its events and changes, in the
-- order of their numbers. Whoever seals holds the lock of this row, so the log never forks.
create table audit_logs (
  organization_id uuid primary key,
  -- The number in the feed behind which the log begins: what was before is not part of it.
  begun_after bigint not null,
  -- What there was then, which the first leaf commits to: how many agents, mandates and versions of mandates, and a hash
  -- of their states. Null where the log began with the organization.
  begun_with jsonb,
  -- How many leaves there are, and up to which number of the feed.
  size bigint not null,
  last_number bigint not null,
  -- The roots of the complete subtrees, from the left: what appending takes.
  frontier bytea not null,
  -- The last signed checkpoint, and its size. It is signed once its leaves are committed.
  signed_size bigint not null,
  note text
);

insert into audit_logs (organization_id, begun_after, begun_with, size, last_number, frontier, signed_size)
select f.organization_id, f.last_number,
       jsonb_build_object('agents', a.state, 'mandates', m.state, 'versions', v.state), 0, f.last_number, '', 0
from event_feeds f
cross join lateral (
  select jsonb_build_object('count', count(*), 'hash', encode(sha256(convert_to(
    coalesce(string_agg(id || ' ' || status, chr(10) order by id), ''), 'UTF8')), 'hex')) as state
  from agents where organization_id = f.organization_id
) a
cross join lateral (
  select jsonb_build_object('count', count(*), 'hash', encode(sha256(convert_to(
    coalesce(string_agg(concat_ws(' ', id, status, version, budget_total, budget_spent, budget_held), chr(10) order by id), ''),
    'UTF8')), 'hex')) as state
  from mandates where organization_id = f.organization_id
) m
cross join lateral (
  select jsonb_build_object('count', count(*), 'hash', encode(sha256(convert_to(
    coalesce(string_agg(concat_ws(' ', mandate_id, version, terms), chr(10) order by mandate_id, version), ''),
    'UTF8')), 'hex')) as state
  from (
    select mandate_id, version, encode(sha256(convert_to(jsonb_build_array(name, currency, timezone, valid_from,
      valid_until, budget_period, budget_total, rules, disclose_limits)::text, 'UTF8')), 'hex') as terms
    from mandate_versions where organization_id = f.organization_id
  ) each_version
) v;

create table audit_leaves (
  organization_id uuid not null,
  index bigint not null,
  -- Its number in the feed, and what it says in the open.
  number bigint not null,
  kind text not null,
  -- Ids are compared byte by byte, whatever the language of the database: appending compares many of them.
  subject text collate "C" not null,
  at timestamptz not null,
  actor_id text,
  commitment bytea not null,
  hash bytea not null,
  -- The roots of the subtrees that end with this leaf, upwards from it. Null: there is none but the leaf.
  nodes bytea,
  primary key (organization_id, index)
);

-- Hashes are random, so in a tree each one would go to another page. This index has only four bytes of each: it is
-- cheaper to keep, and finding one leaf by its whole hash is all that it is for.
create index audit_leaves_by_hash on audit_leaves using hash (hash);
create index audit_leaves_by_subject on audit_leaves (organization_id, subject, index);

create function audit_leaves_stay() returns trigger language plpgsql as $$
begin
  raise exception 'Leaves of the audit log are never changed or removed.';
end
$$;

create trigger audit_leaves_stay before update or delete on audit_leaves
  for each row execute function audit_leaves_stay();
create trigger audit_leaves_stay_all before truncate on audit_leaves
  for each statement execute function audit_leaves_stay();
