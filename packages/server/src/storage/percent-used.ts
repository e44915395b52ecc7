import { type Instant, toIso } from '../core/time/instant.ts'
import { type BudgetPeriod, periodAt } from '../core/time/period.ts'
import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
import type { Condition } from './page.ts'

/** The current version of each mandate, as `m` and `v`. */
export const CURRENT_MANDATES = `mandates m join mandate_versions v
  on v.organization_id = m.organization_id and v.mandate_id = m.id and v.version = m.version`

/** The used part of the budget. Figures of a period that has ended count for nothing. */
const USED = `
  case when exists (
         select 1 from unnest(?::text[], ?::text[], ?::timestamptz[]) as p (zone, period, begins)
         where p.zone = v.timezone and p.period = v.budget_period
           and m.spent_period_start < p.begins)
       then 0 else m.budget_spent::numeric / m.budget_total end`

/** Ranks mandates, the row `m` with its version `v`, by the used part of their budget. */
export async function rankMandates(
  db: Queryable,
  organizationId: string,
  now: Instant,
): Promise<Condition> {
  return [USED, ...(await readPeriods(db, organizationId, now))]
}

/** Ranks agents by the used part of their active mandate's budget. Agents without one come last. */
export async function rankAgents(
  db: Queryable,
  organizationId: string,
  now: Instant,
): Promise<Condition> {
  const rank = `
    coalesce((
      select ${USED} from ${CURRENT_MANDATES}
      where m.organization_id = $1 and m.agent_id = agents.id
        and m.status = 'active' and (m.valid_until is null or m.valid_until > ?)), -1)`
  return [rank, ...(await readPeriods(db, organizationId, now)), toIso(now)]
}

/**
 * The starts of the current budget periods, for each zone and period that mandates have. They are
 * calculated here, because the database may not know every time zone that a mandate can have.
 */
async function readPeriods(
  db: Queryable,
  organizationId: string,
  now: Instant,
): Promise<[zones: string, periods: string, starts: string]> {
  const rows = await db.query<{ timezone: string; budgetPeriod: BudgetPeriod }>({
    name: 'read-budget-periods',
    text: `
      select distinct v.timezone, v.budget_period as "budgetPeriod"
      from ${CURRENT_MANDATES}
      where m.organization_id = $1 and m.spent_period_start is not null
        and v.budget_period <> 'none'`,
    values: [organizationId],
  })
  const periods = rows.flatMap(({ timezone, budgetPeriod }) => {
    const period = periodAt(budgetPeriod, timezone, now)
    return period ? [{ timezone, budgetPeriod, start: toIso(period.start) }] : []
  })
  return [
    plainArray(periods.map(({ timezone }) => timezone)),
    plainArray(periods.map(({ budgetPeriod }) => budgetPeriod)),
    plainArray(periods.map(({ start }) => start)),
  ]
}
