import { Problem } from '../../base/errors.ts'
import type { Part } from '../../base/lifecycle.ts'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { recordCodes } from '../../core/decision/decide.ts'
import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { Database } from '../../storage/engine/database.ts'
import { isStorageAway } from '../../storage/engine/storage-error.ts'
import { type Asked, newAskedIds, toAsked } from './asked.ts'
import { isCardRefusal, requestOf } from './asked-reader.ts'
import { createBookUnjudged } from './book-unjudged.ts'
import { byDeadline } from './by-deadline.ts'
import type { CardRequest, CardVerdict } from './issuers/issuer.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import { createReadContext } from './read-context.ts'
import { stopOf } from './registry/card.ts'
import type { OpenedConnection } from './registry/connection.ts'
import type { UnknownCard } from './registry/health.ts'
import type { NoteHealth } from './registry/note-health.ts'
import { createRemembered, type RememberedCard } from './remembered.ts'
import type { AskedCard, AskedContext } from './storage/asked-context.ts'
import { type Arrived, createSubmitRequest, deadlineOf } from './submit-request.ts'
import { credited, declined, unjudged, verdictOf } from './verdict.ts'

export interface AuthorizeParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly health: Pick<NoteHealth, 'note'>
  readonly now: () => Instant
  readonly log: Log
  /** Has what is stored of authorizations booked soon. */
  wakeBooking(): void
}

/** What an issuer is told, and the decision behind it, if there is one. */
export interface Authorized {
  readonly verdict: CardVerdict
  readonly decided?: Decided
  /** Set where it was approved unjudged, because judging took too long. */
  readonly isLate?: true
}

/** When it is stopped, what was answered unjudged is booked, if that can be. */
export interface Authorizer extends Part {
  /**
   * Answers by the connection's deadline, counted from `receivedAt` on the process's monotonic clock.
   * It never rejects: what cannot be judged is declined.
   */
  authorize(
    connection: OpenedConnection,
    request: CardRequest,
    receivedAt: number,
    /** The key that asks, where it is no issuer's own call: it cannot approve what it asks. */
    askedBy?: string,
  ): Promise<Authorized>
}

export function createAuthorizer(parts: AuthorizeParts): Authorizer {
  const readContext = createReadContext(parts.db)
  const books = createBookUnjudged(parts)
  const remembered = createRemembered()
  const submit = createSubmitRequest({ ...parts, remembered })
  /** Declines that were answered before it was known whose card it is. */
  const storing = new Set<Promise<unknown>>()

  async function judge(arrived: Arrived): Promise<Authorized> {
    const { connection, request } = arrived
    const refusal = refusalOf(connection, request)
    if (refusal !== undefined) return { verdict: declined(refusal, request) }
    if (request.type === 'credit') return credit(arrived)
    const known = remembered.card(connection.id, request)
    if (!known) return meet(arrived)
    const seen = mayFailOpen(connection, request) ? readContext(connection, request) : undefined
    return decide(arrived, known, seen)
  }

  /** A card that this process does not know yet has to be found before anything can be locked. */
  async function meet(arrived: Arrived): Promise<Authorized> {
    const { connection, request } = arrived
    const reading = readContext(connection, request)
    const read = await byDeadline(reading, deadlineOf(arrived))
    if (read === 'late') {
      storeLater(arrived, reading)
      return { verdict: declined(DEADLINE_PASSED, request) }
    }
    const { card } = read.value
    return card ? decide(arrived, card, reading) : { verdict: unknownCard(arrived) }
  }

  async function credit(arrived: Arrived): Promise<Authorized> {
    const { connection, request } = arrived
    const read = await byDeadline(readContext(connection, request), deadlineOf(arrived))
    if (read === 'late') return { verdict: declined(DEADLINE_PASSED, request) }
    const { card } = read.value
    if (!card) return { verdict: unknownCard(arrived) }
    const stop = stopOf(card)
    return { verdict: stop ? declined(stop, request) : credited(request) }
  }

  function unknownCard({ connection, request }: Arrived): CardVerdict {
    parts.health.note(connection, { what: 'unknown_card', card: unknownOf(request) })
    return declined('card_unknown', request)
  }

  /** The decline at the deadline is stored once it is known whose it is, so that a repeat gets it. */
  function storeLater(arrived: Arrived, reading: Promise<AskedContext>): void {
    const kept = reading
      .then(({ card }) => card && submit(arrived, card))
      .catch((err: unknown) => {
        const { id } = arrived.connection
        logEvent(parts.log, CARD_LOG_EVENTS['card.decline_not_stored'], { err, connectionId: id })
      })
      .finally(() => storing.delete(kept))
    storing.add(kept)
  }

  /** `seen` is what is read of it without locks, where something may be approved unjudged. */
  async function decide(
    arrived: Arrived,
    card: RememberedCard,
    seen: Promise<AskedContext> | undefined,
  ): Promise<Authorized> {
    const { request } = arrived
    const soFar = watch(seen)
    const decided = await submit(arrived, card)
    if (decided.late) return failOpen(arrived, decided, soFar()) ?? told(request, decided)
    if (decided.isReplay) return repeated(arrived, decided)
    if (request.type === 'single_message') parts.wakeBooking()
    return told(request, decided)
  }

  /** Undefined where the decline stands. */
  function failOpen(
    arrived: Arrived,
    { late }: Decided,
    context: AskedContext | undefined,
  ): Authorized | undefined {
    const { connection, request } = arrived
    if (late !== 'slow' || !context?.card) return undefined
    const { card, facts } = context
    const earlier = requestOf(facts, request)
    // It was answered before, so nothing new is approved.
    if (earlier) return earlier.isUnjudged ? { verdict: unjudged(earlier, request) } : undefined
    const asked = toAsked({ connection, request, card, context }, newAskedIds(parts.now()))
    if (!isWorthTheRisk(connection, card, asked)) return undefined
    return { verdict: unjudged(books.book({ ...arrived, asked }), request), isLate: true }
  }

  /** What was approved unjudged was declined at the same time; the issuer was told of the approval. */
  async function repeated(arrived: Arrived, decided: Decided): Promise<Authorized> {
    const { connection, request } = arrived
    const { code, amount, id } = decided
    if (code === RECORDED) return { verdict: unjudged({ amount, transactionId: id }, request) }
    if (code !== DEADLINE_PASSED) return told(request, decided)
    const read = await byDeadline(readContext(connection, request), deadlineOf(arrived))
    const facts = read === 'late' ? [] : read.value.facts
    const earlier = requestOf(facts, request)
    return earlier?.isUnjudged ? { verdict: unjudged(earlier, request) } : told(request, decided)
  }

  function failed(arrived: Arrived, err: unknown): Authorized {
    const { connection, request } = arrived
    if (err instanceof Problem) return { verdict: declined(codeOf(err), request) }
    if (isCardRefusal(err)) {
      const isFull = err.refusedCard === 'full'
      return { verdict: isFull ? declined('authorization_full', request) : unknownCard(arrived) }
    }
    logEvent(parts.log, CARD_LOG_EVENTS['card.judgement_failed'], {
      err,
      connectionId: connection.id,
    })
    return { verdict: declined('internal_error', request) }
  }

  return {
    async authorize(connection, request, receivedAt, askedBy) {
      const arrived = { connection, request, receivedAt, askedBy }
      const answered = await judge(arrived).catch((err: unknown) => failed(arrived, err))
      parts.health.note(connection, observationOf(answered, performance.now() - receivedAt))
      return answered
    },
    async stop() {
      await Promise.all(storing)
      await books.stop()
    },
  }
}

const RECORDED = recordCodes.recorded.code

function told(request: CardRequest, decided: Decided): Authorized {
  return { verdict: verdictOf(decided, request), decided }
}

/** Gives what has come so far. What fails to come is as if it had not come yet. */
function watch<T>(coming: Promise<T> | undefined): () => T | undefined {
  let come: T | undefined
  coming?.then(
    (value) => {
      come = value
    },
    () => {},
  )
  return () => come
}

function refusalOf(connection: OpenedConnection, { isLive }: CardRequest): string | undefined {
  if (connection.status === 'disabled') return 'connection_disabled'
  return isLive !== null && isLive !== connection.livemode ? 'livemode_mismatch' : undefined
}

/** Whether a slow store could let this one pass, as far as it can be said before anything is read. */
function mayFailOpen(
  { failMode, failOpenMaxAmount }: OpenedConnection,
  { amount }: CardRequest,
): boolean {
  return failMode === 'open' && failOpenMaxAmount !== null && amount <= failOpenMaxAmount
}

/**
 * Only where a slow store is the one reason: somebody who may spend was found, and the amount is one
 * that the organization is ready to lose.
 */
function isWorthTheRisk(
  { failMode, failOpenMaxAmount }: OpenedConnection,
  card: AskedCard,
  { spend }: Asked,
): boolean {
  if (failMode !== 'open' || failOpenMaxAmount === null) return false
  const isActive = card.agentStatus === 'active' && !card.isFrozen && stopOf(card) === null
  // What is at risk is the whole purchase: many small increments would come to any amount.
  const atRisk = spend.card?.total ?? spend.amount
  return isActive && atRisk <= failOpenMaxAmount && spend.card?.highRisk === null
}

/** A store that is away, full, or too busy, lets the deadline pass. */
function codeOf(problem: Problem): string {
  return isStorageAway(problem) ? DEADLINE_PASSED : problem.code
}

function unknownOf({ card, merchant, amount, currency }: CardRequest): UnknownCard {
  const { externalId, last4 } = card
  return { externalId, last4, merchantName: merchant.name, amount, currency }
}

function observationOf({ verdict, isLate }: Authorized, tookMs: number) {
  const { isApproved, code } = verdict
  return {
    what: 'request',
    tookMs,
    isApproved,
    isLate: isLate === true || code === DEADLINE_PASSED,
  } as const
}
