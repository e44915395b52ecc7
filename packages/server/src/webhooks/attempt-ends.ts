import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { createPause } from '../base/pause.ts'
import type { AttemptEnd } from '../storage/webhooks/attempts.ts'

const TRY_AGAIN_AFTER_MS = 1_000
/**
 * The number of tries of a stopping process. Ends that are not stored by then count as interrupted.
 */
const TRIES_WHEN_STOPPING = 3
const REFUSALS_MAX = 3

type Ends = ReadonlyMap<string, readonly AttemptEnd[]>

export interface Completion {
  /** Resolves once the end is stored. */
  add(organizationId: string, end: AttemptEnd): Promise<void>
  /** Resolves once no end waits for an unavailable database. */
  recovered(): Promise<void>
  /** Whether ends of this organization wait for a node of a distributed store. */
  isHeld(organizationId: string): boolean
  stop(): void
}

interface CompletionParts {
  store(ends: Ends): Promise<void>
  /** Whether the database is available and refuses the ends, so that a retry would not help. */
  isRefused(error: unknown): boolean
  readonly log: Log
}

/**
 * Stores the ends of attempts. All that end during one write are stored together in the next. While
 * the database is unavailable it keeps retrying: the receiver has the event, and a second delivery
 * only because we could not store the first would be our fault. The number of pending ends is
 * bounded by the number of attempts in flight.
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
      // A refusal for one organization must not lose the ends of the others.
      if (isFinal && ends.size > 1) return storeApart(ends)
      // A deadlock passes; a broken constraint does not.
      refusals += Number(isFinal)
      triesLeft -= Number(!isFinal)
      logEvent(log, 'webhooks.result_not_stored', { err: error })
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
    isHeld: () => isAway,
    stop() {
      triesLeft = TRIES_WHEN_STOPPING
      pause.end()
    },
  }
}

/**
 * For a distributed store: the ends of each organization are stored by themselves, so that those of a node
 * that is away hold up no other. Until they are stored, nothing more of their organization is claimed.
 */
export function createCompletions(parts: CompletionParts): Completion {
  const own = new Map<string, { readonly completion: Completion; adding: number }>()
  let isStopping = false

  function ofOrganization(organizationId: string) {
    const known = own.get(organizationId)
    if (known) return known
    const created = { completion: createCompletion(parts), adding: 0 }
    if (isStopping) created.completion.stop()
    own.set(organizationId, created)
    return created
  }

  return {
    async add(organizationId, end) {
      const entry = ofOrganization(organizationId)
      entry.adding += 1
      try {
        await entry.completion.add(organizationId, end)
      } finally {
        entry.adding -= 1
        if (entry.adding === 0) own.delete(organizationId)
      }
    },
    recovered: async () => {},
    isHeld: (organizationId) => own.get(organizationId)?.completion.isHeld(organizationId) ?? false,
    stop() {
      isStopping = true
      for (const { completion } of own.values()) completion.stop()
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
