import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { startLoop } from '../base/loop.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { isConnectionFailure } from './engine/storage-error.ts'

/** A time of last use is right to the minute. */
export const LAST_USE_EVERY_MS = 60_000
const FLUSHED_EVERY_MS = 1_000
const ENTRIES_MAX = 10_000

export interface Use {
  readonly id: string
  readonly at: Instant
}

export interface LastUse {
  /** Notes that it was used now. Never waits, never fails the request. */
  note(organizationId: string, id: string): void
  /** Writes what is noted, and no more after that. */
  stop(): Promise<void>
}

export interface LastUseParts {
  write(organizationId: string, uses: readonly Use[]): Promise<void>
  readonly now: () => Instant
  readonly log: Log
}

/**
 * Writes when keys and agents were last used: each at most once a minute, all of an organization
 * that are due in one statement, and never in the way of a request.
 */
export function createLastUse({ write, now, log }: LastUseParts): LastUse {
  const noted = new Map<string, Instant>()
  let due = new Map<string, Use[]>()

  /** One organization at a time: what fails for one must not be lost for the others. */
  async function flush(): Promise<void> {
    const uses = due
    due = new Map()
    for (const [organizationId, own] of uses) {
      const error = await write(organizationId, own).catch((reason: unknown) => reason)
      if (error === undefined) continue
      failed(error)
      // Nobody else's could be written either.
      if (isConnectionFailure(error)) return
    }
  }
  /** The time of last use is a courtesy; losing one must not cost a caller an answer. */
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
      const use = { id, at }
      const own = due.get(organizationId)
      if (own) own.push(use)
      else due.set(organizationId, [use])
    },
    async stop() {
      await loop.stop()
      await flush()
    },
  }
}

/**
 * Ids, times, and how old the stored time must be to be replaced, as three lists. The statements that
 * take them lock their rows in the order of ids first: an update goes through them in whatever order the
 * planner likes, and two processes that write about the same rows would deadlock.
 */
export function useColumns(uses: readonly Use[]): [string[], string[], string[]] {
  return [
    uses.map(({ id }) => id),
    uses.map(({ at }) => toIso(at)),
    uses.map(({ at }) => toIso(at - LAST_USE_EVERY_MS)),
  ]
}
