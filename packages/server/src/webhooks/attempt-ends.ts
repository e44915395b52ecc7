import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { createPause } from '../base/pause.ts'
import { isRolledBack, isStorageAway } from '../storage/engine/storage-error.ts'
import type { AttemptEnd } from '../storage/webhooks/attempts.ts'

const TRY_AGAIN_AFTER_MS = 1_000
/**
 * The number of tries of a stopping process. Ends that are not stored by then count as interrupted.
 */
const TRIES_WHEN_STOPPING = 3
/** How often the database may refuse the same ends, as it does for a broken constraint. */
const REFUSALS_MAX = 3

type Ends = ReadonlyMap<string, readonly AttemptEnd[]>

/**
 * Stores the ends of attempts. While the database is unavailable it keeps retrying: the receiver has
 * the event, and a second delivery only because we could not store the first would be our fault. The
 * number of pending ends is bounded by the number of attempts in flight.
 */
export interface Completion {
  /** Resolves once the end is stored, or given up. */
  add(organizationId: string, end: AttemptEnd): Promise<void>
  stop(): void
}

interface SeparateCompletion extends Completion {
  /** Whether ends of the organization are not stored yet. */
  isStoring(organizationId: string): boolean
}

interface CompletionParts {
  store(ends: Ends): Promise<void>
  readonly log: Log
}

/**
 * Stores the ends of all organizations together. If the database refuses a write, such as for a row
 * that is locked, the ends of each organization are stored by themselves. So a lock delays the ends of
 * other organizations once at most, for as long as the lock timeout.
 */
export function createJoinedCompletion(parts: CompletionParts): Completion {
  const apart = createSeparateCompletion(parts)
  const tries = createTries(parts)

  /** Returns the ends that are stored by themselves. */
  async function storeJoined(ends: Ends): Promise<ReadonlyMap<string, Promise<unknown>>> {
    const separate = new Map<string, Promise<unknown>>()
    const separately = ([organizationId, group]: readonly [string, readonly AttemptEnd[]]) => {
      const stored = group.map((end) => apart.add(organizationId, end))
      separate.set(organizationId, Promise.all(stored))
    }
    // They were added before the write was refused that set their organization apart.
    for (const entry of ends) if (apart.isStoring(entry[0])) separately(entry)
    const joined = new Map([...ends].filter(([organizationId]) => !separate.has(organizationId)))
    const refusal = joined.size === 0 ? undefined : await tries.store(joined, isRolledBack)
    if (refusal !== undefined) for (const entry of joined) separately(entry)
    return separate
  }

  const batches = createBatches(storeJoined)
  return {
    async add(organizationId, end) {
      if (apart.isStoring(organizationId)) return apart.add(organizationId, end)
      const separate = await batches.add(organizationId, end)
      await separate.get(organizationId)
    },
    stop() {
      tries.stop()
      apart.stop()
    },
  }
}

/**
 * Stores the ends of each organization by themselves, so that those of a node that is away hold up no
 * others.
 */
export function createSeparateCompletion(parts: CompletionParts): SeparateCompletion {
  const own = new Map<string, OwnEnds>()
  let isStopping = false

  function ofOrganization(organizationId: string): OwnEnds {
    const known = own.get(organizationId)
    if (known) return known
    const tries = createTries(parts)
    if (isStopping) tries.stop()
    const batches = createBatches((ends) => storeOwn(tries, ends))
    const created = { tries, batches, adding: 0 }
    own.set(organizationId, created)
    return created
  }

  return {
    async add(organizationId, end) {
      const entry = ofOrganization(organizationId)
      entry.adding += 1
      try {
        await entry.batches.add(organizationId, end)
      } finally {
        entry.adding -= 1
        if (entry.adding === 0) own.delete(organizationId)
      }
    },
    isStoring: (organizationId) => own.has(organizationId),
    stop() {
      isStopping = true
      for (const { tries } of own.values()) tries.stop()
    },
  }
}

interface OwnEnds {
  readonly tries: Tries
  readonly batches: Batches<void>
  adding: number
}

/** A lock, a full disk or a node that is away passes; a broken constraint does not. */
async function storeOwn(tries: Tries, ends: Ends): Promise<void> {
  for (let refusals = 1; refusals <= REFUSALS_MAX; refusals += 1) {
    const refusal = await tries.store(ends, (error) => !isStorageAway(error))
    if (refusal === undefined) return
    if (refusals < REFUSALS_MAX) await tries.pause()
  }
}

interface Batches<Result> {
  add(organizationId: string, end: AttemptEnd): Promise<Result>
}

/** All that is added during one write is stored together in the next. */
function createBatches<Result>(write: (ends: Ends) => Promise<Result>): Batches<Result> {
  let waiting = new Map<string, AttemptEnd[]>()
  let writing: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined

  function writeWaiting(): Promise<Result> {
    const ends = waiting
    waiting = new Map()
    next = undefined
    const written = write(ends)
    writing = written
    return written
  }

  return {
    add(organizationId, end) {
      const group = waiting.get(organizationId)
      if (group) group.push(end)
      else waiting.set(organizationId, [end])
      next ??= writing.then(writeWaiting)
      return next
    },
  }
}

interface Tries {
  /** Retries until the ends are stored or the error is final, which it returns. */
  store(ends: Ends, isFinal: (error: Error) => boolean): Promise<Error | undefined>
  pause(): Promise<void>
  stop(): void
}

function createTries({ store, log }: CompletionParts): Tries {
  let triesLeft = Number.POSITIVE_INFINITY
  const pause = createPause()

  return {
    async store(ends, isFinal) {
      let isLogged = false
      while (triesLeft > 0) {
        const error = await failureOf(() => store(ends))
        if (error === undefined) return undefined
        if (!isLogged) logEvent(log, 'webhooks.result_not_stored', { err: error })
        isLogged = true
        if (isFinal(error)) return error
        triesLeft -= 1
        await pause.wait(TRY_AGAIN_AFTER_MS)
      }
      return undefined
    },
    pause: () => pause.wait(TRY_AGAIN_AFTER_MS),
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
