import type { EventKind } from '../../core/events/event.ts'
import { idAt, toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Database } from '../../storage/engine/database.ts'
import {
  type AttemptState,
  findDeliveryHints,
  findFeedEnd,
  type Hint,
  listHints,
  listLatestAttempts,
  readEndpointHealth,
} from '../../storage/webhooks/hints.ts'

/** The shortest time between two looks, however fast the client reads. */
const LOOK_EVERY_MS = 250
/** A page reads its data again after a gap, so gaps must be rare even if there is one all the time. */
const GAP_EVERY_MS = 5_000
const HINTS_AT_ONCE = 100
/** A look that would have to search more of the feed is a gap. */
const NUMBERS_AT_ONCE = 10_000n
const ATTEMPTS_AT_ONCE = 200
/** Longer than the lease of an attempt: an older attempt does not end any more. */
const ATTEMPT_AGE_MS = 60_000

/** Reads hints for one stream. They come from stored rows, so nothing is written for them. */
export interface HintReader {
  /** The messages for the stream, empty if there is nothing to tell. */
  read(): Promise<string>
}

interface HintParts {
  readonly db: Database
  /** The process's estimate of the database's time. */
  readonly now: () => Instant
  readonly organizationId: string
  /** Only these kinds of events. Undefined: all. */
  readonly kinds: readonly EventKind[] | undefined
  /** The stream continues an earlier one, whose hints are lost. */
  readonly isResumed: boolean
}

/** Begins now: the first call of `read` returns the hints since then. */
export async function openHints(parts: HintParts): Promise<HintReader> {
  const { db, organizationId, kinds } = parts
  let after = await findFeedEnd(db, organizationId)
  let attempts = await readAttempts(parts)
  let health = await readEndpointHealth(db, organizationId)
  let lookedAt = parts.isResumed ? Number.NEGATIVE_INFINITY : performance.now()
  let gapAt = Number.NEGATIVE_INFINITY
  let owesGap = parts.isResumed

  /** Undefined: there were too many. */
  async function readFeedHints(): Promise<readonly Hint[] | undefined> {
    const to = await findFeedEnd(db, organizationId)
    const range = { after, to }
    after = to
    if (range.after === to) return []
    if (to - range.after > NUMBERS_AT_ONCE) return undefined
    const hints = await listHints(db, organizationId, range, kinds, HINTS_AT_ONCE + 1)
    return hints.length > HINTS_AT_ONCE ? undefined : hints
  }

  async function readDeliveryHints(): Promise<readonly Hint[] | undefined> {
    const before = attempts
    attempts = await readAttempts(parts)
    if (mayHaveMissed(before, attempts)) return undefined
    const ids = [...attempts.values()]
      .filter(({ id, outcome }) => outcome !== 'started' && before.get(id)?.outcome !== outcome)
      .map(({ deliveryId }) => deliveryId)
    return ids.length === 0 ? [] : findDeliveryHints(db, organizationId, [...new Set(ids)])
  }

  /** The gateway changes the health of an endpoint after an attempt, without a change record. */
  async function readEndpointHints(): Promise<readonly Hint[]> {
    if (attempts.size === 0) return []
    const before = health
    health = await readEndpointHealth(db, organizationId)
    return [...health]
      .filter(([id, state]) => before.get(id) !== state)
      .map(([id]) => ({ kind: ENDPOINT_HEALTH, subject: toPublicId('whe', id) }))
  }

  return {
    async read() {
      if (performance.now() - lookedAt < LOOK_EVERY_MS) return ''
      lookedAt = performance.now()
      const found = [await readFeedHints(), await readDeliveryHints(), await readEndpointHints()]
      owesGap ||= found.includes(undefined)
      const hints = found.flatMap((some) => some ?? []).map(toMessage)
      if (!owesGap || lookedAt - gapAt < GAP_EVERY_MS) return hints.join('')
      owesGap = false
      gapAt = lookedAt
      return [GAP, ...hints].join('')
    },
  }
}

const ENDPOINT_HEALTH = 'change.webhook.endpoint_health'

const GAP = 'event: gap\ndata: {}\n\n'

/** Without an id, so that a client that reconnects continues after its last event. */
function toMessage(hint: Hint): string {
  return `event: hint\ndata: ${JSON.stringify(hint)}\n\n`
}

type Attempts = ReadonlyMap<string, AttemptState>

async function readAttempts({ db, now, organizationId }: HintParts): Promise<Attempts> {
  const since = idAt(now() - ATTEMPT_AGE_MS)
  const latest = await listLatestAttempts(db, organizationId, since, ATTEMPTS_AT_ONCE)
  return new Map(latest.map((attempt) => [attempt.id, attempt]))
}

/** Whether attempts have begun and ended between two looks, or have left the view before their end. */
function mayHaveMissed(before: Attempts, after: Attempts): boolean {
  if (after.size < ATTEMPTS_AT_ONCE) return false
  const hasOverlap = [...after.keys()].some((id) => before.has(id))
  return (
    !hasOverlap ||
    [...before.values()].some(({ id, outcome }) => outcome === 'started' && !after.has(id))
  )
}
