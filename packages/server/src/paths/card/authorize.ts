import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import type { Instant } from '../../core/time/instant.ts'
import { Problem } from '../../errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { Part } from '../../lifecycle.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/engine/database.ts'
import { type Asked, toAsked } from './asked.ts'
import { createBookUnjudged } from './book-unjudged.ts'
import { byDeadline } from './by-deadline.ts'
import type { CardRequest, CardVerdict } from './issuers/issuer.ts'
import { keepRequest } from './keep-request.ts'
import type { RequestFact } from './ledger/facts.ts'
import { keyOf } from './ledger/record.ts'
import { createReadContext } from './read-context.ts'
import { stopOf } from './registry/card.ts'
import type { OpenedConnection } from './registry/connection.ts'
import type { UnknownCard } from './registry/health.ts'
import type { NoteHealth } from './registry/note-health.ts'
import type { AskedCard, AskedContext } from './storage/asked-context.ts'
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

/** A request on its way, with the time of its arrival. */
interface Arrived {
  readonly connection: OpenedConnection
  readonly request: CardRequest
  readonly receivedAt: number
  readonly askedBy: string | undefined
}

interface Known extends Arrived {
  readonly card: AskedCard
  readonly asked: Asked
}

export function createAuthorizer(parts: AuthorizeParts): Authorizer {
  const readContext = createReadContext(parts.db)
  const books = createBookUnjudged(parts)

  async function judge(arrived: Arrived): Promise<Authorized> {
    const { connection, request, receivedAt } = arrived
    const refusal = refusalOf(connection, request)
    if (refusal !== undefined) return { verdict: declined(refusal, request) }
    const { deadlineMs } = connection
    const read = await byDeadline(readContext(connection, request), receivedAt + deadlineMs)
    if (read === 'late') return { verdict: declined(DEADLINE_PASSED, request) }
    const { card } = read.value
    if (!card) {
      parts.health.note(connection, { what: 'unknown_card', card: unknownOf(request) })
      return { verdict: declined('card_unknown', request) }
    }
    const verdict = verdictWithout(request, card, read.value)
    if (verdict) return { verdict }
    const asked = toAsked({ connection, request, card, context: read.value }, parts.now())
    return decide({ ...arrived, card, asked })
  }

  async function decide(known: Known): Promise<Authorized> {
    const { connection, request, receivedAt, askedBy, asked } = known
    const decided = await parts.gateway.decide({
      spend: asked.spend,
      reason: null,
      metadata: null,
      idempotency: keyOf(connection.id, request.requestId),
      noted: asked.noted,
      permit: { alike: true },
      ...(askedBy === undefined ? {} : { askedBy }),
      alongside: (row) => keepRequest(row, { request, asked, at: parts.now() }),
      answerBy: receivedAt + connection.deadlineMs,
      receivedAt,
    })
    if (mayFailOpen(known, decided)) {
      return { verdict: unjudged(books.book(known), request), isLate: true }
    }
    if (request.type === 'single_message') parts.wakeBooking()
    return { verdict: verdictOf(decided, request, asked.spend.amount), decided }
  }

  return {
    async authorize(connection, request, receivedAt, askedBy) {
      const arrived = { connection, request, receivedAt, askedBy }
      const answered = await judge(arrived).catch((err: unknown) => {
        if (err instanceof Problem) return { verdict: declined(codeOf(err), request) }
        parts.log.error({ err, connectionId: connection.id }, 'A card request could not be judged.')
        return { verdict: declined('internal_error', request) }
      })
      parts.health.note(connection, observationOf(answered, performance.now() - receivedAt))
      return answered
    },
    stop: books.stop,
  }
}

function refusalOf(connection: OpenedConnection, { isLive }: CardRequest): string | undefined {
  if (connection.status === 'disabled') return 'connection_disabled'
  return isLive !== null && isLive !== connection.livemode ? 'livemode_mismatch' : undefined
}

/** What is answered without judging; undefined where there is something to judge. */
function verdictWithout(
  request: CardRequest,
  card: AskedCard,
  { facts, isFull }: AskedContext,
): CardVerdict | undefined {
  const stop = stopOf(card)
  if (request.type === 'credit') return stop ? declined(stop, request) : credited(request)
  if (isFull) return declined('authorization_full', request)
  const earlier = facts.find(
    (fact): fact is RequestFact => fact.kind === 'request' && fact.id === request.requestId,
  )
  return earlier?.isUnjudged ? unjudged(earlier, request) : undefined
}

/**
 * Only where a slow store is the one reason: somebody who may spend was found, and the amount is one
 * that the organization is ready to lose.
 */
function mayFailOpen({ connection, card, asked }: Known, decided: Decided): boolean {
  const { failMode, failOpenMaxAmount } = connection
  if (decided.late !== 'slow' || failMode !== 'open' || failOpenMaxAmount === null) return false
  const isActive = card.agentStatus === 'active' && !card.isFrozen && stopOf(card) === null
  const { amount, card: told } = asked.spend
  // What is at risk is the whole purchase: many small increments would come to any amount.
  const atRisk = told?.total ?? amount
  return isActive && atRisk <= failOpenMaxAmount && told?.highRisk === null
}

/** A store that is away, or too busy, lets the deadline pass. */
function codeOf({ code }: Problem): string {
  return code === 'storage_unavailable' ? DEADLINE_PASSED : code
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
