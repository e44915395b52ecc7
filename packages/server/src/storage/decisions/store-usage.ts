import type { Micros } from '../../core/money.ts'
import { usageMonth } from '../../core/plan.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

// State that later decisions use: counters of limits, vendor histories, and the plan's usage.

export interface StoredCounter {
  readonly key: string
  readonly buckets: readonly bigint[]
  readonly expiresAt: Instant
}

export function storeCounters(
  organizationId: string,
  counters: readonly StoredCounter[],
): Statement {
  return {
    name: 'store-counters',
    text: `
      insert into limit_counters (organization_id, key, buckets, expires_on)
      select $1, c.key, c.buckets::bigint[], c.expires_on
      from unnest(${texts('$2')}, ${texts('$3')}, $4::date[]) as c (key, buckets, expires_on)
      on conflict (organization_id, key) do update
      set buckets = excluded.buckets, expires_on = excluded.expires_on`,
    values: [
      organizationId,
      textArray(counters.map((counter) => counter.key)),
      textArray(counters.map((counter) => plainArray(counter.buckets))),
      // The following day is stored, because a day is coarser than an instant.
      plainArray(counters.map(({ expiresAt }) => toIso(expiresAt + DAY_MS).slice(0, 10))),
    ],
  }
}

const DAY_MS = 86_400_000

export interface StoredVendorHistory {
  readonly agentId: string
  readonly vendor: string
  readonly firstAt: Instant
  readonly lastAmount: Micros | null
}

export function storeVendorHistories(
  organizationId: string,
  now: Instant,
  vendors: readonly StoredVendorHistory[],
): Statement {
  return {
    name: 'store-vendor-histories',
    text: `
      insert into agent_vendors (organization_id, agent_id, vendor, first_at, last_amount, noted_at)
      select $1, v.*, $6::timestamptz
      from unnest($2::uuid[], ${texts('$3')}, $4::timestamptz[], $5::bigint[])
        as v (agent_id, vendor, first_at, last_amount)
      -- A settlement under an earlier mandate holds a different lock, so the rows need an order.
      order by v.agent_id, v.vendor
      on conflict (organization_id, agent_id, vendor) do update
      set first_at = least(agent_vendors.first_at, excluded.first_at),
          last_amount = excluded.last_amount, noted_at = excluded.noted_at, paid_at = null`,
    values: [
      organizationId,
      plainArray(vendors.map((vendor) => vendor.agentId)),
      textArray(vendors.map((vendor) => vendor.vendor)),
      plainArray(vendors.map((vendor) => toIso(vendor.firstAt))),
      plainArray(vendors.map((vendor) => vendor.lastAmount)),
      toIso(now),
    ],
  }
}

export function countEvaluations(organizationId: string, at: Instant, count: number): Statement {
  const { month } = usageMonth(at)
  return {
    name: 'count-evaluations',
    text: `
      insert into plan_usage (organization_id, month, evaluations) values ($1, $2, $3)
      on conflict (organization_id, month) do update
      set evaluations = plan_usage.evaluations + excluded.evaluations`,
    values: [organizationId, month, count],
  }
}

/** The number of evaluations counted in the month. The month is named by its first day. */
export async function readPlanUsage(
  db: Queryable,
  organizationId: string,
  month: string,
): Promise<number> {
  const [row] = await db.query<{ evaluations: bigint }>({
    text: 'select evaluations from plan_usage where organization_id = $1 and month = $2',
    values: [organizationId, month],
  })
  return Number(row?.evaluations ?? 0n)
}

/** Removes expired counters, at most 1,000 per call. */
export async function removeExpiredCounters(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from limit_counters where (organization_id, key) in (
        select organization_id, key from limit_counters where expires_on < $1::date limit 1000)
        -- Checked again: a counter may be renewed while this statement waits for its row.
        and expires_on < $1::date
      returning 1`,
    values: [toIso(now).slice(0, 10)],
  })
  return rows.length
}
