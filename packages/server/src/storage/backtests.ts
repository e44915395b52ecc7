import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'

/** The organization's backtest lease: only this run may backtest until `heldUntil`. */
export interface BacktestClaim {
  readonly runId: string
  readonly heldUntil: Instant
}

/** Takes the organization's backtest lease. Returns false while a different run holds it. */
export async function claimBacktest(
  db: Queryable,
  organizationId: string,
  { runId, heldUntil }: BacktestClaim,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query({
    text: `
      insert into backtests (organization_id, run_id, held_until) values ($1, $2, $3)
      on conflict (organization_id) do update
      set run_id = excluded.run_id, held_until = excluded.held_until
      where backtests.held_until <= $4 or backtests.run_id = excluded.run_id
      returning 1`,
    values: [organizationId, runId, toIso(heldUntil), toIso(now)],
  })
  return rows.length > 0
}

export async function releaseBacktest(
  db: Queryable,
  organizationId: string,
  runId: string,
): Promise<void> {
  await db.query({
    text: 'delete from backtests where organization_id = $1 and run_id = $2',
    values: [organizationId, runId],
  })
}
