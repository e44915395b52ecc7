import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'

/** The stored figures of a budget, and the sums of the spends that draw on it. */
export interface BudgetSums {
  readonly spent: bigint
  readonly held: bigint
  readonly sumSpent: bigint
  readonly sumHeld: bigint
  /**
   * If more than one, the budget's period has changed, and the period of earlier counts is not
   * known.
   */
  readonly periods: number
  readonly periodStart: Instant | null
}

const SUM_OF_LATER = `
  select coalesce(sum((x.part ->> 1)::bigint), 0) as held,
         coalesce(sum((x.part ->> 2)::bigint), 0) as settled,
         coalesce(sum((x.part ->> 3)::bigint), 0) as refunded,
         coalesce(bool_or(jsonb_array_length(x.part) < 4), false) as is_untold
  from jsonb_array_elements(coalesce(t.later_parts, '[]')) as x (part)`

/**
 * The parts in which the money of `t` was counted: at its approval, and later
 * (core/decision/parts.ts). Parts that an earlier version stored do not hold their refunded amount:
 * the newest part gets all of it.
 */
const PARTS = `
  select t.created_at as at, 0 as place, t.held_amount - z.held as held,
         t.settled_amount - t.refunded_amount - z.settled as settled,
         case when z.is_untold then 0 else t.refunded_amount - z.refunded end as refunded
  from (${SUM_OF_LATER}) z
  union all
  select timestamptz 'epoch' + (y.part ->> 0)::bigint * interval '1 millisecond', y.place,
         (y.part ->> 1)::bigint, (y.part ->> 2)::bigint,
         coalesce((y.part ->> 3)::bigint, 0)
           + case when z.is_untold and y.place = jsonb_array_length(t.later_parts)
                  then t.refunded_amount - z.refunded else 0 end
  from jsonb_array_elements(coalesce(t.later_parts, '[]')) with ordinality as y (part, place)
  cross join (${SUM_OF_LATER}) z`

/** One statement, so that no decision comes between a budget and its sums. */
export async function sumBudget(
  db: Queryable,
  organizationId: string,
  mandateId: string,
): Promise<BudgetSums | undefined> {
  const [row] = await db.query<BudgetSums>({
    name: 'reconcile-budget',
    text: `
      select m.budget_spent as spent, m.budget_held as held, s.spent as "sumSpent",
             s.held as "sumHeld", m.spent_period_start as "periodStart",
             (select count(distinct (v.budget_period, v.timezone))::int from mandate_versions v
              where v.organization_id = $1 and v.mandate_id = m.id) as periods
      from mandates m
      cross join lateral (
        select coalesce(sum(p.held + p.settled), 0)::bigint as spent,
               coalesce(sum(p.held), 0)::bigint as held
        from mandates own
        join transactions t
          on t.organization_id = $1 and t.agent_id = own.agent_id and t.mandate_id = own.id
         and t.decision = 'approved'
        cross join lateral (${PARTS}) p
        where own.organization_id = $1 and (own.id = m.id or m.id = any(own.ancestor_ids))
          and (m.spent_period_start is null or p.at >= m.spent_period_start)
      ) s
      where m.organization_id = $1 and m.id = $2`,
    values: [organizationId, mandateId],
  })
  return row
}

export async function listMandateIds(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    text: 'select id from mandates where organization_id = $1 and id > $2 order by id limit $3',
    values: [organizationId, after, limit],
  })
  return rows.map(({ id }) => id)
}

export async function listCounterKeys(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ key: string }>({
    text: `select key from limit_counters
           where organization_id = $1 and key > $2 order by key limit $3`,
    values: [organizationId, after, limit],
  })
  return rows.map(({ key }) => key)
}

/** The stored buckets of a counter, and the sums of the spends whose `counted_in` names it. */
export interface CounterSums {
  readonly key: string
  readonly buckets: readonly bigint[]
  /** One entry per bucket: its place, counted from 1; the count; the amount. */
  readonly sums: readonly (readonly [place: number, count: number, amount: string])[]
}

/**
 * Sums the counters of one mandate, in one statement. Spends before the first bucket no longer
 * count.
 */
export function sumCounters(
  db: Queryable,
  organizationId: string,
  mandateId: string,
  keys: readonly string[],
): Promise<CounterSums[]> {
  return db.query<CounterSums>({
    name: 'reconcile-counters',
    text: `
      with kept as (
        select c.key, c.buckets,
               (select array_agg(b.n order by b.at) from unnest(c.buckets) with ordinality as b (n, at)
                where b.at % 3 = 2) as starts
        from limit_counters c where c.organization_id = $1 and c.key = any($3::text[])
      ), entries as (
        select k.key,
               width_bucket((extract(epoch from p.at) * 1000)::bigint, k.starts) as place,
               p.counted,
               case when t.is_increment is not true and t.amount > 0 and p.turn = 1 then 1 else 0 end
                 as spends
        from mandates own
        join transactions t
          on t.organization_id = $1 and t.agent_id = own.agent_id and t.mandate_id = own.id
         and t.decision = 'approved' and t.counted_in is not null
        cross join kept k
        cross join lateral (
          select q.at, q.held + q.settled + q.refunded as counted,
                 row_number() over (order by q.place) as turn
          from (${PARTS}) q where q.held + q.settled + q.refunded > 0
        ) p
        where own.organization_id = $1 and (own.id = $2 or $2 = any(own.ancestor_ids))
          and t.counted_in @> to_jsonb(k.key)
          and (extract(epoch from p.at) * 1000)::bigint >= k.starts[1]
      ), summed as (
        select e.key, e.place, sum(e.spends) as spends, sum(e.counted) as counted
        from entries e group by e.key, e.place
      )
      select k.key, k.buckets,
             coalesce((select jsonb_agg(jsonb_build_array(s.place, s.spends, s.counted::text))
                       from summed s where s.key = k.key), '[]') as sums
      from kept k`,
    values: [organizationId, mandateId, keys],
  })
}
