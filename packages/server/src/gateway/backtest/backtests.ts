import { Problem } from '../../base/errors.ts'
import type { Instant } from '../../core/time/instant.ts'
import { claimBacktest, releaseBacktest } from '../../storage/backtests.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Database } from '../../storage/engine/database.ts'
import { transactionFor } from '../../storage/engine/queryable.ts'
import { newId } from '../../storage/new-id.ts'
import {
  type BacktestProgress,
  type BacktestRequest,
  type BacktestResult,
  backtest,
} from './backtest.ts'

/** The TTL of a lease: it ends this long after its process last renewed it. */
const HELD_MS = 15_000
const RENEW_MS = 4_000

/** A backtest that a caller has requested. */
export type BacktestOrder = Omit<BacktestRequest, 'to'>

export interface Backtests {
  /**
   * Starts a backtest. An organization can have only one at a time, over all processes. Rejects
   * with a Problem while one is running.
   */
  begin(order: BacktestOrder): Promise<BegunBacktest>
  /** Ends all running backtests, each with a partial result. */
  stop(): Promise<void>
}

export interface BegunBacktest {
  /** Replays until the past ends or `isOver` returns true, then releases the lease. */
  run(watch: CallerWatch): Promise<BacktestResult>
}

export interface CallerWatch {
  isOver(): boolean
  onProgress?(progress: BacktestProgress): void
}

interface Parts {
  readonly db: Database
  readonly clock: Clock
  /** The number of spends submitted to this process so far. */
  readonly decided: () => number
}

export function createBacktests({ db, clock, decided }: Parts): Backtests {
  const running = new Set<Promise<unknown>>()
  let isStopping = false

  /** Takes or renews the lease. Returns the database's time. */
  function claim(organizationId: string, runId: string): Promise<Instant> {
    return transactionFor(db, organizationId, async (tx) => {
      const now = await clock.read(tx)
      const heldUntil = now + HELD_MS
      if (await claimBacktest(tx, organizationId, { runId, heldUntil }, now)) return now
      throw isRunning()
    })
  }

  async function run(order: BacktestRequest, runId: string, watch: CallerWatch) {
    const { organizationId } = order
    let renewedAt = performance.now()
    try {
      return await backtest(db, order, {
        decided,
        atOnce: () => running.size,
        isOver: () => isStopping || watch.isOver(),
        async onPage(progress) {
          watch.onProgress?.(progress)
          if (performance.now() - renewedAt < RENEW_MS) return
          await claim(organizationId, runId)
          renewedAt = performance.now()
        },
      })
    } finally {
      await releaseBacktest(db, organizationId, runId)
    }
  }

  return {
    async begin(order) {
      const runId = newId(clock.estimate())
      const to = await claim(order.organizationId, runId)
      return {
        run(watch) {
          const result = run({ ...order, to }, runId, watch)
          running.add(result)
          const forget = (): void => void running.delete(result)
          result.then(forget, forget)
          return result
        },
      }
    },
    async stop() {
      isStopping = true
      await Promise.allSettled(running)
    },
  }
}

function isRunning(): Problem {
  return new Problem(
    'backtest_running',
    'An organization can run one backtest at a time. Wait for the other one, or close its connection to end it.',
    { retryAfterSeconds: 5 },
  )
}
