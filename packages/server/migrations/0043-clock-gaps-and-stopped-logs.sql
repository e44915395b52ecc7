-- An id carries the time that its process knew, and created_at the time by the database's clock. Reads by time take the
-- same range as ids, ten minutes wider. An organization that has a transaction further apart has a row here, with its
-- largest difference, and its reads are as much wider. It is written in the transaction that stores such a decision.
create table clock_gaps (
  organization_id uuid primary key,
  largest_ms bigint not null
);

-- Those that are stored already. The gateway reads every transaction once before it starts, and locks none of them.
-- Each 100,000 take about one to two seconds.
insert into clock_gaps (organization_id, largest_ms)
select organization_id, max(ms)
from (
  select organization_id,
         abs((extract(epoch from created_at) * 1000)::bigint
             - ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint) as ms
  from transactions
) apart
where ms > 600000
group by organization_id;

-- An organization whose feed gave a number that the audit log has already. Nothing more is sealed for it until somebody
-- has looked at it and removed the row.
create table audit_stops (
  organization_id uuid primary key,
  -- The number of the last leaf, and the one that was to come next.
  last_leaf bigint not null,
  next_number bigint not null,
  stopped_at timestamptz not null
);
