import type { Log } from '../log.ts'
import { createPause } from '../pause.ts'
import type { AttemptEnd } from '../storage/webhooks/attempts.ts'

const TRY_AGAIN_AFTER_MS = 1_000
/** When the process stops, no longer than this: what is not stored by then counts as interrupted. */
const TRIES_WHEN_STOPPING = 3
const REFUSALS_MAX = 3

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
  /** Whether the database is there and will not have it: trying again would not help. */
  isRefused(error: unknown): boolean
  readonly log: Log
}

/**
 * Stores how attempts ended, all that ended while the last were stored at once. When the database is
 * away this is tried until it is back: the receiver has the event, and sending it twice only because
 * we could not write that down would be our fault. What waits is bounded by what is in flight.
 */
export function createCompletion({ store, isRefused, log }: CompletionParts): Completion {
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
    await storeAll(ends)
  }

  async function storeAll(ends: Ends): Promise<void> {
    let refusals = 0
    while (triesLeft > 0 && refusals < REFUSALS_MAX) {
      const error = await failureOf(() => store(ends))
      isAway = error !== undefined
      if (error === undefined) return
      const isFinal = isRefused(error)
      // What is refused of one organization must not be lost of the others.
      if (isFinal && ends.size > 1) return storeApart(ends)
      // A deadlock passes; a broken constraint does not.
      refusals += Number(isFinal)
      triesLeft -= Number(!isFinal)
      log.error({ err: error }, 'Ends of webhook attempts could not be stored.')
      await pause.wait(TRY_AGAIN_AFTER_MS)
    }
    isAway = false
  }

  async function storeApart(ends: Ends): Promise<void> {
    for (const entry of ends) await storeAll(new Map([entry]))
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

async function failureOf(run: () => Promise<void>): Promise<Error | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
