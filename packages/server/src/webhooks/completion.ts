import type { AttemptEnd } from '../storage/webhook-attempts.ts'
import { createPause } from './pause.ts'

const TRY_AGAIN_AFTER_MS = 1_000
/** When the process stops, no longer than this: what is not stored by then counts as interrupted. */
const TRIES_WHEN_STOPPING = 3

type Ends = ReadonlyMap<string, readonly AttemptEnd[]>

export interface Completion {
  /** Resolves when it is stored. */
  add(organizationId: string, end: AttemptEnd): Promise<void>
  /** Resolves when nothing waits for a database that is away. */
  recovered(): Promise<void>
  stop(): void
}

interface CompletionParts {
  store(ends: Ends): Promise<void>
  readonly log: { error(fields: object, message: string): void }
}

/**
 * Stores how attempts ended, all that ended while the last were stored at once. When the database is
 * away this is tried until it is back: the receiver has the event, and sending it twice only because
 * we could not write that down would be our fault. What waits is bounded by what is in flight.
 */
export function createCompletion({ store, log }: CompletionParts): Completion {
  let waiting = new Map<string, AttemptEnd[]>()
  let storing: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let isAway = false
  let triesLeft = Number.POSITIVE_INFINITY
  const pause = createPause()

  async function storeWaiting(): Promise<void> {
    const ends = waiting
    waiting = new Map()
    next = undefined
    while (triesLeft > 0) {
      try {
        await store(ends)
        isAway = false
        return
      } catch (err) {
        isAway = true
        triesLeft -= 1
        log.error({ err }, 'Ends of webhook attempts could not be stored yet.')
        await pause.wait(TRY_AGAIN_AFTER_MS)
      }
    }
  }

  return {
    add(organizationId, end) {
      const group = waiting.get(organizationId)
      if (group) group.push(end)
      else waiting.set(organizationId, [end])
      next ??= storing.then(() => {
        storing = storeWaiting()
        return storing
      })
      return next
    },
    async recovered() {
      if (isAway) await storing
    },
    stop() {
      triesLeft = TRIES_WHEN_STOPPING
      pause.end()
    },
  }
}
