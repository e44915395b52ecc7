import type { Instant } from '../core/time/instant.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'

/** A time of last use is right to the minute. */
export const LAST_USE_EVERY_MS = 60_000
const FLUSHED_EVERY_MS = 1_000
const ENTRIES_MAX = 10_000

export interface Use {
  readonly organizationId: string
  readonly id: string
  readonly at: Instant
}

export interface LastUse {
  /** Notes that it was used now. Never waits, never fails the request. */
  note(organizationId: string, id: string): void
  /** Writes what is noted, and no more after that. */
  stop(): Promise<void>
}

interface LastUseParts {
  write(uses: readonly Use[]): Promise<void>
  readonly now: () => Instant
  readonly log: Log
}

/**
 * Writes when keys and agents were last used: each at most once a minute, all that are due in one
 * statement, and never in the way of a request.
 */
export function createLastUse({ write, now, log }: LastUseParts): LastUse {
  const noted = new Map<string, Instant>()
  let due: Use[] = []

  async function flush(): Promise<void> {
    if (due.length === 0) return
    const uses = due
    due = []
    await write(uses)
  }
  /** The time of last use is a courtesy; losing one must not cost a caller an answer. */
  function failed(err: unknown): void {
    log.warn({ err }, 'Times of last use could not be written.')
  }
  const loop = startLoop({ run: flush, everyMs: FLUSHED_EVERY_MS, catchesUp: true, failed })

  return {
    note(organizationId, id) {
      const at = now()
      if (at - (noted.get(id) ?? 0) < LAST_USE_EVERY_MS) return
      if (noted.size >= ENTRIES_MAX) noted.clear()
      noted.set(id, at)
      due.push({ organizationId, id, at })
    },
    async stop() {
      await loop.stop()
      await flush().catch(failed)
    },
  }
}
