import type { Micros } from '../../../core/money.ts'
import type { SnapshotFact } from '../ledger/facts.ts'
import {
  childOf,
  currencyOf,
  type Fields,
  listOf,
  minorOf,
  mistakeIn,
  note,
  readFields,
  secondsOf,
  textOf,
  textOrNull,
  textsOf,
  timeOf,
} from './fields.ts'
import type { CardEvent, Unread } from './issuer.ts'
import { heldIn, lithicStateOf, readLithicMerchant } from './lithic-parts.ts'
import type { SignedBytes } from './signatures.ts'

type EventFact = CardEvent['facts'][number]

/**
 * The event types that move money. All others (authorizations, advices, reversals, expiries) change
 * only the held amount, and `amounts.hold` gives the rest of that: as facts of their own they would be
 * counted twice.
 */
const MOVES: ReadonlyMap<string, 'capture' | 'refund' | 'refund_reversal'> = new Map([
  ['CLEARING', 'capture'],
  ['CORRECTION_DEBIT', 'capture'],
  ['FINANCIAL_AUTHORIZATION', 'capture'],
  ['CORRECTION_CREDIT', 'refund'],
  ['FINANCIAL_CREDIT_AUTHORIZATION', 'refund'],
  ['RETURN', 'refund'],
  ['RETURN_REVERSAL', 'refund_reversal'],
])

/** Lithic sends `SETTLED` from the first clearing on, while a rest may still be held. */
const STATUSES: ReadonlyMap<string, SnapshotFact['status']> = new Map([
  ['PENDING', 'pending'],
  ['SETTLED', 'closed'],
  ['DECLINED', 'closed'],
  ['VOIDED', 'reversed'],
  ['EXPIRED', 'expired'],
])

export function readLithicEvent(body: unknown, header: SignedBytes['header']): CardEvent | Unread {
  const event = readFields(body)
  // As with requests, the body may be the transaction alone.
  const type = textOrNull(event, 'event_type') ?? 'card_transaction.updated'
  if (type !== 'card_transaction.updated' && type !== 'card.updated') {
    return { unread: 'other', why: 'The gateway does not use this kind of event.' }
  }
  const told = type === 'card.updated' ? readCard(event, header) : readTransaction(event)
  return mistakeIn(event) ?? told
}

/**
 * Every event contains the whole transaction: the held amount as one snapshot, and each movement of
 * money as a fact that counts once by its token. The snapshot names all captures, because the hold no
 * longer contains them.
 */
function readTransaction(transaction: Fields): CardEvent {
  const token = textOf(transaction, 'token')
  const amounts = childOf(transaction, 'amounts')
  const currency = currencyOf(childOf(amounts, 'cardholder'), 'currency')
  const events = listOf(transaction, 'events')
  const money = events.flatMap((event) => readMoney(event, currency))
  const held = heldIn(amounts, currency)
  const at = Math.max(timeOf(transaction, 'updated'), ...events.map((e) => timeOf(e, 'created')))
  const status = textOf(transaction, 'status')
  // The body has no id, so the fields that distinguish this state of the transaction form one.
  const eventId = [token, status, at, events.length, held ?? ''].join(':')
  const snapshot: SnapshotFact = {
    kind: 'snapshot',
    id: eventId,
    at,
    isApproved: status !== 'DECLINED',
    status: statusOf(transaction, held),
    amount: held !== null && held < 0n ? 0n : held,
    covers: null,
    captures: money.flatMap((fact) => (fact.kind === 'capture' ? [fact.id] : [])),
  }
  return {
    kind: 'event',
    eventId,
    isLive: null,
    at,
    authorizationId: token,
    ofTransaction: null,
    card: { externalId: textOf(transaction, 'card_token'), last4: null, state: null },
    currency,
    merchant: readLithicMerchant(transaction),
    facts: [...money, snapshot],
    cardStatus: null,
    decidedWithoutUs: silenceIn(events.at(-1)),
  }
}

function statusOf(transaction: Fields, held: Micros | null): SnapshotFact['status'] {
  const word = textOf(transaction, 'status')
  const status = STATUSES.get(word)
  if (status === undefined) note(transaction, 'status')
  if (word === 'SETTLED' && held !== null && held > 0n) return 'pending'
  return status ?? 'pending'
}

/** The type gives the direction of the money. Signs differ between events, so they are ignored. */
function readMoney(event: Fields, currency: string): readonly EventFact[] {
  const move = MOVES.get(textOf(event, 'type'))
  if (move === undefined || isDeclined(event)) return []
  const cardholder = childOf(childOf(event, 'amounts'), 'cardholder')
  if (currencyOf(cardholder, 'currency') !== currency) note(cardholder, 'currency')
  const signed = minorOf(cardholder, 'amount', currency)
  const amount = signed < 0n ? -signed : signed
  const id = textOf(event, 'token')
  const at = timeOf(event, 'created')
  if (move === 'capture') return [{ kind: 'capture', id, at, amount }]
  const back = move === 'refund' ? amount : -amount
  return [{ kind: 'refund', id, at, cause: 'merchant', amount: back }]
}

/** Only an authorization can be declined; a clearing has been paid. */
function isDeclined(event: Fields): boolean {
  return (
    textOf(event, 'type').includes('AUTHORIZATION') && textOrNull(event, 'result') !== 'APPROVED'
  )
}

/** Whether Lithic decided the latest event by itself, because our answer was missing or unusable. */
function silenceIn(event: Fields | undefined): CardEvent['decidedWithoutUs'] {
  const results = event === undefined ? [] : textsOf(event, 'detailed_results')
  if (results.includes('CUSTOMER_ASA_TIMEOUT')) return 'timeout'
  return results.includes('MALFORMED_ASA_RESPONSE') ? 'error' : null
}

/** The body contains neither the kind of the message nor the time of sending; the signed headers do. */
function readCard(event: Fields, header: SignedBytes['header']): CardEvent | Unread {
  const headers = readFields({
    'webhook-id': header('webhook-id'),
    'webhook-timestamp': Number(header('webhook-timestamp')),
  })
  const state = lithicStateOf(textOf(event, 'state'))
  if (state === null) note(event, 'state')
  const told: CardEvent = {
    kind: 'event',
    eventId: textOf(headers, 'webhook-id'),
    isLive: null,
    at: secondsOf(headers, 'webhook-timestamp'),
    authorizationId: null,
    ofTransaction: null,
    card: { externalId: textOf(event, 'card_token'), last4: null, state },
    currency: null,
    merchant: null,
    facts: [],
    cardStatus: state,
    decidedWithoutUs: null,
  }
  return mistakeIn(headers) ?? told
}
