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

/** A claim lasts this long after its process was last heard of. */
const HELD_MS = 15_000
const RENEW_MS = 4_000

/** What a caller has asked to be replayed. */
export type BacktestOrder = Omit<BacktestRequest, 'to'>

export interface Backtests {
  /**
   * Begins a backtest: the only one of the organization, in whichever process. Rejects with a Problem
   * while another one runs.
   */
  begin(order: BacktestOrder): Promise<BegunBacktest>
  /** Ends all that run, each with what it has. */
  stop(): Promise<void>
}

export interface BegunBacktest {
  /** Replays until the record ends or `isOver` says so, and lets the next one begin. */
  run(watch: CallerWatch): Promise<BacktestResult>
}

export interface CallerWatch {
  isOver(): boolean
  onProgress?(progress: BacktestProgress): void
}

interface Parts {
  readonly db: Database
  readonly clock: Clock
  /** How many spends this process was asked to decide so far. */
  readonly decided: () => number
}

export function createBacktests({ db, clock, decided }: Parts): Backtests {
  const running = new Set<Promise<unknown>>()
  let isStopping = false

  /** Takes the place, or keeps it. Gives the database's time. */
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
