-- An id carries the time that its process knew, and created_at the time by the database's clock. Reads by time take the
-- same range as ids, ten minutes wider. An organization that has a transaction further apart has a row here, with its
-- largest difference, and its reads are as much wider. It is written in the transaction that stores such a decision.
create table clock_gaps (
  organization_id uuid primary key,
  largest_ms bigint not null
);

-- Those that are stored already: one pass over the record, which locks nothing.
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
