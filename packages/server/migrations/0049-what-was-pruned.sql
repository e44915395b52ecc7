-- From now on retention writes a change of what it removes, so that a record that is missing without one is noticed.
-- What was removed before gets one here. The sealer commits to it, as to every row without a commitment.
-- It also says which holds can have been raised or captured in part without a leaf: those that were decided before now,
-- or in the next hour, in which older gateways may still run beside new ones.
with pruned as (
  select f.organization_id, r.events_before,
         to_timestamp((('x' || left(replace(r.details_to::text, '-', ''), 12))::bit(48)::bigint) / 1000.0)
           + interval '1 day' as details_before
  from event_feeds f left join removals r on r.organization_id = f.organization_id
  where f.last_number > 0
), feed as (
  update event_feeds f set last_number = f.last_number + 1
  from pruned p where f.organization_id = p.organization_id
  returning f.organization_id, f.last_number
)
insert into changes (organization_id, number, id, at, actor_kind, operation, subject_type, subject_id, before, after)
select p.organization_id, f.last_number, gen_random_uuid(), date_trunc('milliseconds', clock_timestamp()), 'system',
       'organization.pruned', 'organization', 'org_' || replace(p.organization_id::text, '-', ''), null,
       json_build_object(
         'eventsBefore', to_char(p.events_before at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'detailsBefore', to_char(p.details_before at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'adjustedBefore', to_char((clock_timestamp() + interval '1 hour') at time zone 'UTC',
                                   'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from pruned p join feed f on f.organization_id = p.organization_id;
