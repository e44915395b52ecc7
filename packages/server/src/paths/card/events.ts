import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { repeatedTransaction } from '../../storage/engine/repeated-transaction.ts'
import { newId } from '../../storage/new-id.ts'
import { noteStop } from '../../storage/stops.ts'
import { flagHeard } from './flag-event.ts'
import type { CardEvent } from './issuers/issuer.ts'
import { isBeyondTolerance } from './ledger/balances.ts'
import { type AfterBooking, type BookParts, bookAuthorization } from './ledger/book.ts'
import { afterAllKnown } from './ledger/hold-end.ts'
import { inCurrency } from './ledger/other-currency.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import type { Card } from './registry/card.ts'
import type { CardConnection, OpenedConnection } from './registry/connection.ts'
import type { UnknownCard } from './registry/health.ts'
import type { NoteHealth } from './registry/note-health.ts'
import {
  type CardAuthorization,
  hearOf,
  markUnbooked,
  type NewAuthorization,
} from './storage/authorizations.ts'
import { type CardHolder, findHolder } from './storage/card-holders.ts'
import { mirrorCardStatus, pauseCard, readCard } from './storage/cards.ts'
import {
  type AuthorizationName,
  adoptFacts,
  countFacts,
  FACTS_MAX,
  findAuthorizationOf,
  listFacts,
  lockMoney,
  setApart,
  storeFacts,
} from './storage/facts.ts'

export interface EventParts extends BookParts {
  readonly health: Pick<NoteHealth, 'note'>
  readonly log: Log
}

type EventFact = CardEvent['facts'][number]

/**
 * If a process dies before it has booked the facts that it stored, a worker books them after this time.
 */
const BOOKED_WITHIN_MS = 10_000

/**
 * Handles an issuer's event. When it resolves, all facts are stored and booked; the same event again
 * changes nothing. If it rejects, the issuer has to send the event again (ADR 37).
 */
export async function hear(
  parts: EventParts,
  connection: OpenedConnection,
  event: CardEvent,
): Promise<void> {
  const { db, health } = parts
  const { organizationId } = connection
  health.note(connection, { what: 'event' })
  const { card, holder } = await findCard(parts, connection, event)
  if (card && event.cardStatus) {
    await db.query(mirrorCardStatus(organizationId, card, event.cardStatus, event.at))
  }
  const unknown = card ? undefined : unknownOf(event)
  if (unknown) health.note(connection, { what: 'unknown_card', card: unknown })
  for (const [externalId, facts] of factsByAuthorization(event)) {
    const told = { connectionId: connection.id, externalId }
    const id = await store(parts, connection, {
      told,
      event,
      holder,
      facts,
    })
    if (id === undefined) continue
    if (event.decidedWithoutUs !== null) health.note(connection, { what: 'unheard' })
    const booked = await bookAuthorization(parts, organizationId, id, afterBooking(connection))
    if (booked?.isNewlyRecorded) health.note(connection, { what: 'ungoverned' })
  }
}

/** The earliest time in the event: it may be the first event about a purchase made long before. */
function beginningOf({ at, facts }: CardEvent): Instant {
  return Math.min(at, ...facts.map((fact) => fact.at))
}

interface FoundCard {
  /** The card as it is now. */
  readonly card?: Card | undefined
  /** The agent that had the card when the purchase began. */
  readonly holder?: CardHolder | undefined
}

async function findCard(
  { db }: EventParts,
  { organizationId, id: connectionId }: OpenedConnection,
  event: CardEvent,
): Promise<FoundCard> {
  if (!event.card) return {}
  const { externalId } = event.card
  const [card, holder] = await Promise.all([
    readCard(db, organizationId, connectionId, externalId),
    findHolder(db, organizationId, { connectionId, externalId }, beginningOf(event)),
  ])
  // An older version of the gateway registers cards without the time from which an agent has them.
  return { card, holder: holder ?? (card && { cardId: card.id, agentId: card.agentId }) }
}

/** A capture on an unregistered card: it counts towards no budget. */
function unknownOf({ card, facts, merchant, currency }: CardEvent): UnknownCard | undefined {
  const capture = facts.find(({ kind }) => kind === 'capture')
  if (!card || !capture) return undefined
  const { externalId, last4 } = card
  const merchantName = merchant?.name ?? null
  return { externalId, last4, merchantName, amount: capture.amount, currency }
}

/**
 * Money without an authorization gets an authorization of its own. A dispute belongs to the capture
 * that it names.
 */
function factsByAuthorization({
  authorizationId,
  ofTransaction,
  facts,
}: CardEvent): ReadonlyMap<string, readonly EventFact[]> {
  if (facts.length === 0) return new Map()
  const name = authorizationId ?? ofTransaction
  return name === null ? new Map(facts.map((fact) => [fact.id, [fact]])) : new Map([[name, facts]])
}

interface Told {
  readonly told: AuthorizationName
  readonly event: CardEvent
  /** The agent that had the card when the purchase began. */
  readonly holder: CardHolder | undefined
  readonly facts: readonly EventFact[]
}

/** Returns the authorization's id if there is something to book. */
function store(
  { db, now, clock, log }: EventParts,
  connection: OpenedConnection,
  { told: named, event, holder, facts }: Told,
): Promise<string | undefined> {
  const { organizationId } = connection
  return repeatedTransaction(db, organizationId, async (tx) => {
    const told = await placeOf(tx, organizationId, named, event, facts)
    const heard = toAuthorization(told, event, holder, now())
    const [authorization, count] = await Promise.all([
      hearOf(tx, organizationId, heard, now()),
      countFacts(tx, organizationId, told),
    ])
    const { id } = authorization
    const timed = await timedFacts(tx, organizationId, authorization, event, facts)
    const known = inCurrency(withCurrency(timed, event.currency), authorization.currency)
    const isFull = count + facts.length > FACTS_MAX
    if (isFull) {
      const fields = { connectionId: connection.id, authorizationId: id, max: FACTS_MAX }
      logEvent(log, CARD_LOG_EVENTS['card.facts_truncated'], fields)
    }
    const added = isFull ? 0 : await add(tx, organizationId, authorization, known)
    if (added === 0 && isFull === authorization.isFull) {
      return authorization.isBooked ? undefined : id
    }
    if (added > 0) await flagHeard(tx, connection, { event, holder }, known, await clock(tx))
    const lookAt = now() + BOOKED_WITHIN_MS
    tx.send(markUnbooked(organizationId, id, { isFull, lookAt }))
    return id
  })
}

/**
 * Finds the authorization that the facts belong to. An event that only names a capture belongs to the
 * authorization of that capture, as soon as that is known.
 */
async function placeOf(
  tx: Tx,
  organizationId: string,
  named: AuthorizationName,
  { authorizationId, ofTransaction }: CardEvent,
  facts: readonly EventFact[],
): Promise<AuthorizationName> {
  const isDispute = authorizationId === null && ofTransaction !== null
  const captures = isDispute ? [ofTransaction] : capturesOf(facts)
  if (captures.length > 0) await lockMoney(tx, named.connectionId, captures)
  if (!isDispute) return named
  const owner = await findAuthorizationOf(tx, organizationId, named.connectionId, ofTransaction)
  return { ...named, externalId: owner ?? ofTransaction }
}

/** The caller has locked the authorization. */
async function timedFacts(
  tx: Tx,
  organizationId: string,
  authorization: CardAuthorization,
  { isSetBack }: CardEvent,
  facts: readonly EventFact[],
): Promise<readonly EventFact[]> {
  if (!isSetBack) return facts
  const earlier = await listFacts(tx, organizationId, authorization)
  return facts.map((fact) => afterAllKnown(fact, earlier))
}

/**
 * Adds the event's currency to each fact, in case the purchase turns out to be in a different currency.
 */
function withCurrency(facts: readonly EventFact[], currency: string | null): readonly EventFact[] {
  return currency === null ? facts : facts.map((fact) => ({ currency, ...fact }))
}

/** Returns the number of facts that are new for the authorization. */
async function add(
  tx: Tx,
  organizationId: string,
  told: AuthorizationName & Pick<CardAuthorization, 'currency'>,
  facts: readonly EventFact[],
): Promise<number> {
  const captures = capturesOf(facts)
  const [adopted, stored] = await Promise.all([
    captures.length > 0 ? adoptFacts(tx, organizationId, told, captures) : 0,
    storeFacts(tx, organizationId, told, facts),
  ])
  if (stored === facts.length || told.currency === null) return adopted + stored
  // Money may have been stored before the currency of the purchase was known; this sets it apart.
  const apart = await setApart(tx, organizationId, told, told.currency)
  return adopted + stored + (apart > 0 ? await storeFacts(tx, organizationId, told, facts) : 0)
}

function capturesOf(facts: readonly EventFact[]): readonly string[] {
  return facts.filter(({ kind }) => kind === 'capture').map(({ id }) => id)
}

function toAuthorization(
  told: AuthorizationName,
  { currency, merchant }: CardEvent,
  holder: CardHolder | undefined,
  at: Instant,
): NewAuthorization {
  return {
    ...told,
    id: newId(at),
    cardId: holder?.cardId ?? null,
    agentId: holder?.agentId ?? null,
    currency,
    vendor: null,
    category: null,
    merchant,
    merchantFlags: [],
  }
}

/**
 * Pauses the card after a capture far beyond the approved amount: more such captures may follow. Only a
 * new capture pauses the card, so a card that a person has reactivated stays active despite other
 * events about the same purchase.
 */
export function afterBooking({
  pauseOnOverCapture,
}: Pick<CardConnection, 'pauseOnOverCapture'>): AfterBooking {
  return (tx, { authorization, balances, organizationId }, now) => {
    const { cardId, merchant } = authorization
    if (!pauseOnOverCapture || cardId === null) return
    if (balances.captured <= authorization.captured) return
    if (!isBeyondTolerance(balances, merchant?.mcc ?? null)) return
    tx.send(pauseCard(organizationId, cardId, 'over_capture', now))
    noteStop(tx, organizationId)
  }
}
