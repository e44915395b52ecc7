import type { Offsets } from '../../core/analytics/offsets.ts'
import { sharedCodes } from '../../core/rules/codes.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { ADDED, MEASURE_COLUMNS } from './measure-columns.ts'

/** The book that the counts go into. The caller has locked it. */
export interface CountingPlace {
  readonly organizationId: string
  readonly book: number
  /** The UTC offsets of the book's zone. */
  readonly offsets: Offsets
}

export interface NumberRange {
  /** Exclusive: the first number is the one after this. */
  readonly after: bigint
  readonly to: bigint
}

export interface IdRange {
  readonly after: string
  readonly to: string
}

/**
 * The date in the book's zone. It is plain arithmetic, so every node of a distributed store can run
 * it. It uses floating-point numbers, which take half the time of decimals and are exact to the
 * microsecond in this range.
 */
const dayOf = (column: string): string => `
  ('1970-01-01'::date + floor((date_part('epoch', ${column}) * 1000
    + ($4::int[])[greatest(1, width_bucket(${column}, $3::timestamptz[]))]) / 86400000)::int)`

const IS_DECISION = `e.kind in ('transaction.approved', 'transaction.rejected') and e.sample is null`

/**
 * An approved spend has a rule only if one flagged it. Details are long, and retention removes
 * them.
 */
const RULE = `case when decision = 'rejected'
  then coalesce(details->>'firstFailure', flagged_by[1]) else flagged_by[1] end`

const COLUMNS = `
  id, created_at, decision, amount, currency, agent_id, mandate_id, vendor, category, path, code,
  approval_id, ${RULE} as rule, case when status = 'held' then held_amount else 0 end as held,
  settled_amount as settled, refunded_amount as refunded`

/**
 * The limit keeps the planner from joining two long tables completely, which it does as soon as it
 * misjudges their size.
 */
const transaction = (id: string): string => `
  left join lateral (
    select ${COLUMNS} from transactions where organization_id = $1 and id = ${id} limit 1
  ) t on true`

/**
 * The first change after this number holds the state of the transaction before it. The `exists`
 * query runs once per statement: if nothing changed since the range begins, it saves the lookup for
 * each transaction.
 */
const firstChange = (id: string, number: string, begin: string): string => `
  left join lateral (
    select * from analytics_changes
    where organization_id = $1 and transaction_id = ${id} and number > ${number}
      and (select exists (select 1 from analytics_changes where organization_id = $1 and number > ${begin}))
    order by number limit 1
  ) c on true`

/** A transaction as it was before its first change, or as it is now. */
const AS_IT_WAS = `
  1 as sign, coalesce(c.held_before, t.held) as held, coalesce(c.settled_before, t.settled) as settled,
  coalesce(c.refunded_before, t.refunded) as refunded, coalesce(c.code_before, t.code) as code,
  case when c.number is null then t.rule else c.rule_before end as rule`

const FIXED = `
  t.decision, t.amount, t.currency, t.agent_id, t.mandate_id, t.vendor, t.category, t.path,
  t.approval_id`

/**
 * New decisions, and changes of earlier ones: each change subtracts the old state and adds the new
 * one.
 */
const FEED_FACTS = `
  select ${dayOf('e.occurred_at')} as day, ${FIXED}, ${AS_IT_WAS}
  from webhook_events e ${transaction('e.id')} ${firstChange('e.id', 'e.number', '$5')}
  where e.organization_id = $1 and e.number > $5 and e.number <= $6 and ${IS_DECISION}
  union all
  select ${dayOf('t.created_at')} as day, ${FIXED}, v.sign, v.held, v.settled, v.refunded, v.code, v.rule
  from analytics_changes c ${transaction('c.transaction_id')}
  cross join lateral (values
    (-1, c.held_before, c.settled_before, c.refunded_before, c.code_before, c.rule_before),
    (1, c.held_after, c.settled_after, c.refunded_after, c.code_after, c.rule_after)
  ) as v (sign, held, settled, refunded, code, rule)
  where c.organization_id = $1 and c.number > $5 and c.number <= $6`

/**
 * Retention may have removed the event of a decision. Such a decision is old, so it is counted
 * here.
 */
const RECORD_FACTS = `
  select ${dayOf('t.created_at')} as day, ${FIXED}, ${AS_IT_WAS}
  from (
    select ${COLUMNS} from transactions
    where organization_id = $1 and id > $5 and id <= $6
  ) t ${firstChange('t.id', '$7', '$7')}
  where coalesce((select e.number from webhook_events e
                  where e.organization_id = $1 and e.id = t.id), 0) <= $7`

const COUNT_INTO_CELLS = `
  insert into analytics_cells as s (organization_id, book, day, agent, mandate, vendor, category,
    path, rule, code, currency, ${MEASURE_COLUMNS})
  select $1, $2, day, agent_id::text, coalesce(mandate_id::text, ''), vendor, coalesce(category, ''),
         path, coalesce(rule, ''), code, coalesce(currency, ''),
         sum(case when decision = 'approved' then sign else 0 end), sum(sign * held),
         sum(sign * settled), sum(sign * refunded),
         sum(case when decision = 'rejected' then sign else 0 end),
         sum(case when decision = 'rejected' then sign * amount else 0 end),
         sum(case when is_asked then sign else 0 end),
         sum(case when is_asked then sign * amount else 0 end),
         sum(case when is_used then sign else 0 end),
         sum(case when is_used then sign * (settled - refunded + held) else 0 end)
  from (
    select *, decision = 'approved' and approval_id is not null as is_used,
           decision = 'rejected' and code = '${sharedCodes.approval_required.code}' as is_asked`

/** Groups by the ids themselves, and not by the texts that cells store them as. */
const BY_CELL = `
  ) as judged
  group by day, agent_id, mandate_id, vendor, 7, path, 9, code, 11
  on conflict (organization_id, book, day, agent, mandate, vendor, category, path, rule, code,
               currency)
  do update set ${ADDED}`

/** Counts a range of the feed, with each decision in its state right after its number. */
export function countFeed(place: CountingPlace, { after, to }: NumberRange): Statement {
  return {
    name: 'count-analytics-feed',
    text: `${COUNT_INTO_CELLS} from (${FEED_FACTS}) as fact ${BY_CELL}`,
    values: [...placeValues(place), after, to],
  }
}

/** Counts stored transactions in their state right after a number of the feed. */
export function countRecord(
  place: CountingPlace,
  { after, to }: IdRange,
  countedTo: bigint,
): Statement {
  return {
    name: 'count-analytics-record',
    text: `${COUNT_INTO_CELLS} from (${RECORD_FACTS}) as fact ${BY_CELL}`,
    values: [...placeValues(place), after, to, countedTo],
  }
}

const TOUCH_DAYS = `
  insert into analytics_days (organization_id, book, day, is_rolled, groupings_rolled, touched_at)
  select $1, $2, day, false, 0, $7::timestamptz`

/** From now on queries read the cells of these days, until the days are rolled up again. */
const BY_DAY = `
  group by day
  on conflict (organization_id, book, day) do update
  set is_rolled = false, groupings_rolled = 0, touched_at = excluded.touched_at`

/** Marks the days that `countFeed` changes. An event has the time of its decision. */
export function touchDaysOfFeed(
  place: CountingPlace,
  { after, to }: NumberRange,
  at: Instant,
): Statement {
  return {
    name: 'touch-analytics-days-of-feed',
    text: `${TOUCH_DAYS} from (
             select ${dayOf('e.occurred_at')} as day from webhook_events e
             where e.organization_id = $1 and e.number > $5 and e.number <= $6 and ${IS_DECISION}
             union all
             select ${dayOf('t.created_at')} as day
             from analytics_changes c ${transaction('c.transaction_id')}
             where c.organization_id = $1 and c.number > $5 and c.number <= $6
           ) as touched ${BY_DAY}`,
    values: [...placeValues(place), after, to, toIso(at)],
  }
}

/** Marks the days that `countRecord` changes. */
export function touchDaysOfRecord(
  place: CountingPlace,
  { after, to }: IdRange,
  at: Instant,
): Statement {
  return {
    name: 'touch-analytics-days-of-record',
    text: `${TOUCH_DAYS} from (
             select ${dayOf('created_at')} as day from transactions
             where organization_id = $1 and id > $5 and id <= $6
           ) as touched ${BY_DAY}`,
    values: [...placeValues(place), after, to, toIso(at)],
  }
}

function placeValues({ organizationId, book, offsets }: CountingPlace): readonly unknown[] {
  const { starts, aheadMs } = offsets
  return [organizationId, book, plainArray(starts.map(toIso)), plainArray(aheadMs)]
}

/** The last id of a page of transactions, and the page's size. */
interface RecordPage {
  readonly last: string
  readonly size: bigint
}

/** The next transactions after one id and before a second one; undefined if there are none. */
export async function findRecordPage(
  db: Queryable,
  organizationId: string,
  after: string,
  before: string,
  limit: number,
): Promise<RecordPage | undefined> {
  const [page] = await db.query<RecordPage>({
    name: 'find-record-page',
    text: `
      select id as last, place as size from (
        select id, row_number() over (order by id) as place from transactions
        where organization_id = $1 and id > $2 and id < $3 order by id limit $4
      ) as page order by place desc limit 1`,
    values: [organizationId, after, before, limit],
  })
  return page
}
