import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { startLoop } from '../base/loop.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { isConnectionFailure } from './engine/storage-error.ts'

/** Times of last use are accurate to the minute. */
export const LAST_USE_EVERY_MS = 60_000
const FLUSHED_EVERY_MS = 1_000
const ENTRIES_MAX = 10_000

export interface Use {
  readonly id: string
  readonly at: Instant
}

export interface LastUse {
  /** Notes that the key or agent was used now. Never waits, and never fails the request. */
  note(organizationId: string, id: string): void
  /** Writes all pending uses, then stops. */
  stop(): Promise<void>
}

export interface LastUseParts {
  write(organizationId: string, uses: readonly Use[]): Promise<void>
  readonly now: () => Instant
  readonly log: Log
}

/**
 * Writes when keys and agents were last used: each at most once a minute, all pending uses of an
 * organization in one statement, and never while a request waits.
 */
export function createLastUse({ write, now, log }: LastUseParts): LastUse {
  const noted = new Map<string, Instant>()
  let due = new Map<string, Map<string, Instant>>()

  /** Writes one organization at a time, so that a failure for one loses no uses of the others. */
  async function flush(): Promise<void> {
    const uses = due
    due = new Map()
    for (const [organizationId, own] of uses) {
      const last = Array.from(own, ([id, at]) => ({ id, at }))
      const error = await write(organizationId, last).catch((reason: unknown) => reason)
      if (error === undefined) continue
      failed(error)
      // The writes of the other organizations would fail too.
      if (isConnectionFailure(error)) return
    }
  }
  /** The time of last use is informational: losing one must not fail a request. */
  function failed(err: unknown): void {
    logEvent(log, 'storage.last_use_failed', { err })
  }
  const loop = startLoop({ run: flush, everyMs: FLUSHED_EVERY_MS, catchesUp: true, failed })

  return {
    note(organizationId, id) {
      const at = now()
      if (at - (noted.get(id) ?? 0) < LAST_USE_EVERY_MS) return
      if (noted.size >= ENTRIES_MAX) noted.clear()
      noted.set(id, at)
      const own = due.get(organizationId)
      // One statement must not have two times for one row: it would store either.
      if (own) own.set(id, at)
      else due.set(organizationId, new Map([[id, at]]))
    },
    async stop() {
      await loop.stop()
      await flush()
    },
  }
}

/**
 * Returns ids, times, and how old the stored time must be to be replaced, as three lists. The
 * statements that take these lists lock their rows in id order first: an update visits rows in an
 * order that the planner chooses, so two processes that write about the same rows could deadlock.
 */
export function useColumns(uses: readonly Use[]): [string[], string[], string[]] {
  return [
    uses.map(({ id }) => id),
    uses.map(({ at }) => toIso(at)),
    uses.map(({ at }) => toIso(at - LAST_USE_EVERY_MS)),
  ]
}
