import { setTimeout as wait } from 'node:timers/promises'
import type { AttemptEnd } from '../storage/webhook-attempts.ts'

/** Within the lease: afterwards the attempt counts as interrupted, and another may be under way. */
const TRIES = 5
const TRY_AGAIN_AFTER_MS = 1_000

type Ends = ReadonlyMap<string, readonly AttemptEnd[]>

export interface Completion {
  /** Resolves when it is stored, or when that has failed for good. */
  add(organizationId: string, end: AttemptEnd): Promise<void>
}

interface CompletionParts {
  store(ends: Ends): Promise<void>
  readonly log: { error(fields: object, message: string): void }
}

/**
 * Stores how attempts ended, all that ended while the last were stored at once. When the database is
 * away this is tried again for some seconds: the receiver has the event, and sending it twice only
 * because we could not write that down would be our fault.
 */
export function createCompletion({ store, log }: CompletionParts): Completion {
  let waiting = new Map<string, AttemptEnd[]>()
  let storing: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function storeWaiting(): Promise<void> {
    const ends = waiting
    waiting = new Map()
    next = undefined
    for (let tries = 1; ; tries++) {
      try {
        return await store(ends)
      } catch (err) {
        if (tries === TRIES) return log.error({ err }, 'Ends of webhook attempts are not stored.')
        await wait(TRY_AGAIN_AFTER_MS)
      }
    }
  }

  return {
    add(organizationId, end) {
      const group = waiting.get(organizationId)
      if (group) group.push(end)
      else waiting.set(organizationId, [end])
      next ??= (storing ?? Promise.resolve()).then(() => {
        storing = storeWaiting()
        return storing
      })
      return next
    },
  }
}
