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
  /** Wakes the worker, so that it books stored authorizations soon. */
  wakeBooking(): void
}

/** The answer to an issuer, and the decision behind it, if there is one. */
export interface Authorized {
  readonly verdict: CardVerdict
  readonly decided?: Decided
  /** Set if the request was approved unjudged, because judging took too long. */
  readonly isLate?: true
}

/** Stopping it books the requests that were answered unjudged, if the store allows it. */
export interface Authorizer extends Part {
  /**
   * Answers by the connection's deadline, counted from `receivedAt` on the process's monotonic clock.
   * It never rejects: a request that cannot be judged is declined.
   */
  authorize(
    connection: OpenedConnection,
    request: CardRequest,
    receivedAt: number,
    /**
     * The API key that sent the request, unless an issuer called directly. This key cannot approve its
     * own request.
     */
    askedBy?: string,
  ): Promise<Authorized>
}

export function createAuthorizer(parts: AuthorizeParts): Authorizer {
  const readContext = createReadContext(parts.db)
  const books = createBookUnjudged(parts)
  const remembered = createRemembered()
  const submit = createSubmitRequest({ ...parts, remembered })
  /** Declines that were answered before the card's agent was known. */
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

  /** Finds a card that this process does not know yet. Locks can be taken only after that. */
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

  /**
   * Stores the decline at the deadline once the card's agent is known, so that a retry gets the same
   * answer.
   */
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

  /** `seen` is the context that is read without locks, for connections that may approve unjudged. */
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

  /** Returns undefined if the decline stands. */
  function failOpen(
    arrived: Arrived,
    { late }: Decided,
    context: AskedContext | undefined,
  ): Authorized | undefined {
    const { connection, request } = arrived
    if (late !== 'slow' || !context?.card) return undefined
    const { card, facts } = context
    const earlier = requestOf(facts, request)
    // The request was answered before, so nothing new is approved.
    if (earlier) return earlier.isUnjudged ? { verdict: unjudged(earlier, request) } : undefined
    const asked = toAsked({ connection, request, card, context }, newAskedIds(parts.now()))
    if (!isWorthTheRisk(connection, card, asked)) return undefined
    return { verdict: unjudged(books.book({ ...arrived, asked }), request), isLate: true }
  }

  /**
   * A request that was approved unjudged has a stored decline as well, because both happened at the
   * deadline. The issuer received the approval, so a retry must get the approval too.
   */
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

/** Returns a function that gives the value if it has arrived. A rejection counts as not arrived. */
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

/** Whether a slow store could let this request pass, judged by the request and the connection alone. */
function mayFailOpen(
  { failMode, failOpenMaxAmount }: OpenedConnection,
  { amount }: CardRequest,
): boolean {
  return failMode === 'open' && failOpenMaxAmount !== null && amount <= failOpenMaxAmount
}

/**
 * True only if a slow store is the one reason for the decline: the card and its agent may spend, and
 * the organization is ready to lose the amount.
 */
function isWorthTheRisk(
  { failMode, failOpenMaxAmount }: OpenedConnection,
  card: AskedCard,
  { spend }: Asked,
): boolean {
  if (failMode !== 'open' || failOpenMaxAmount === null) return false
  const isActive = card.agentStatus === 'active' && !card.isFrozen && stopOf(card) === null
  // The whole purchase is at risk: many small increments would add up to any amount.
  const atRisk = spend.card?.total ?? spend.amount
  return isActive && atRisk <= failOpenMaxAmount && spend.card?.highRisk === null
}

/** A store that is unavailable, full or too busy counts as a missed deadline. */
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
