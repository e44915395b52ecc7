import type { SnapshotFact } from '../ledger/facts.ts'
import {
  childOf,
  childOrNull,
  currencyOf,
  type Fields,
  flagOf,
  flagOrNull,
  idOrNull,
  listOf,
  minorOf,
  mistakeIn,
  note,
  readFields,
  secondsOf,
  textOf,
  textOrNull,
  wholeOrNull,
} from './fields.ts'
import type { CardEvent, IssuerCard, Unread } from './issuer.ts'
import { readStripeCard, readStripeMerchant } from './stripe-parts.ts'

type Told = Omit<CardEvent, 'kind' | 'eventId' | 'isLive' | 'at'>
type EventFact = CardEvent['facts'][number]

const NOTHING: Told = {
  authorizationId: null,
  ofTransaction: null,
  card: null,
  currency: null,
  merchant: null,
  facts: [],
  cardStatus: null,
  decidedWithoutUs: null,
}

/**
 * The reader of each event type. All other events only describe changes that these report with amounts.
 */
const READERS: ReadonlyMap<string, (object: Fields, event: Fields) => Told> = new Map([
  ['issuing_authorization.created', readAuthorization],
  ['issuing_authorization.updated', readAuthorization],
  ['issuing_transaction.created', readTransaction],
  ['issuing_dispute.funds_reinstated', (dispute, event) => readDispute(dispute, event, 1n)],
  ['issuing_dispute.funds_rescinded', (dispute, event) => readDispute(dispute, event, -1n)],
  ['issuing_card.updated', readCard],
])

export function readStripeEvent(body: unknown): CardEvent | Unread {
  const event = readFields(body)
  const read = READERS.get(textOf(event, 'type'))
  const mistake = mistakeIn(event)
  if (mistake) return mistake
  if (!read) return { unread: 'other', why: 'The gateway does not use this kind of event.' }
  const told = {
    kind: 'event',
    eventId: textOf(event, 'id'),
    isLive: flagOrNull(event, 'livemode'),
    at: secondsOf(event, 'created'),
    ...read(childOf(childOf(event, 'data'), 'object'), event),
  } as const
  return mistakeIn(event) ?? told
}

/**
 * Stripe's view of the authorization. It lists the transactions, so it also reports captures whose own
 * event has not arrived yet: a fact counts once, from any event.
 */
function readAuthorization(authorization: Fields, event: Fields): Told {
  const currency = currencyOf(authorization, 'currency')
  const history = listOf(authorization, 'request_history')
  const money = listOf(authorization, 'transactions').flatMap(readMoney)
  const amount = minorOf(authorization, 'amount', currency)
  if (amount < 0n) note(authorization, 'amount')
  const snapshot: SnapshotFact = {
    kind: 'snapshot',
    id: textOf(event, 'id'),
    at: secondsOf(event, 'created'),
    isApproved: flagOf(authorization, 'approved'),
    status: statusOf(authorization, amount),
    amount,
    covers: history.length,
    captures: money.flatMap((fact) => (fact.kind === 'capture' ? [fact.id] : [])),
  }
  return {
    ...NOTHING,
    authorizationId: textOf(authorization, 'id'),
    card: readStripeCard(childOf(authorization, 'card')),
    currency,
    merchant: readStripeMerchant(authorization),
    facts: [...money, snapshot],
    decidedWithoutUs: isNewsOfRequest(event) ? silenceIn(history[0]) : null,
  }
}

/** API versions before `expired` existed used `reversed` for it, and left the amount. */
function statusOf(authorization: Fields, amount: bigint): SnapshotFact['status'] {
  const status = textOf(authorization, 'status')
  if (status === 'reversed') return amount > 0n ? 'expired' : 'reversed'
  if (status === 'pending' || status === 'closed' || status === 'expired') return status
  note(authorization, 'status')
  return 'pending'
}

/** Later events repeat the history of all requests. Only the event that added to the history is new. */
function isNewsOfRequest(event: Fields): boolean {
  if (textOf(event, 'type') === 'issuing_authorization.created') return true
  const before = childOrNull(childOf(event, 'data'), 'previous_attributes')
  return before !== null && Object.hasOwn(before.values, 'request_history')
}

/** The newest request comes first. */
function silenceIn(request: Fields | undefined): CardEvent['decidedWithoutUs'] {
  const reason = request === undefined ? null : textOrNull(request, 'reason')
  if (reason === 'webhook_timeout') return 'timeout'
  return reason === 'webhook_error' ? 'error' : null
}

function readTransaction(transaction: Fields): Told {
  const facts = readMoney(transaction)
  if (facts.length === 0) note(transaction, 'type')
  return {
    ...NOTHING,
    authorizationId: idOrNull(transaction, 'authorization'),
    card: readCardOf(transaction),
    currency: currencyOf(transaction, 'currency'),
    merchant: readStripeMerchant(transaction),
    facts,
  }
}

/** Captures are negative, refunds positive; a negative refund reverses one. */
function readMoney(transaction: Fields): readonly EventFact[] {
  const currency = currencyOf(transaction, 'currency')
  const amount = minorOf(transaction, 'amount', currency)
  const id = textOf(transaction, 'id')
  const at = secondsOf(transaction, 'created')
  const type = textOf(transaction, 'type')
  if (type === 'refund') return [{ kind: 'refund', id, at, cause: 'merchant', amount, currency }]
  if (type !== 'capture') return []
  if (amount > 0n) note(transaction, 'amount')
  return [{ kind: 'capture', id, at, amount: -amount, currency }]
}

/** A transaction names its card; some versions send the whole card. */
function readCardOf(transaction: Fields): IssuerCard | null {
  const externalId = idOrNull(transaction, 'card')
  return externalId === null ? null : { externalId, last4: null, state: null }
}

/**
 * Disputed money comes back, or is taken again. Stripe names only the transaction, and its
 * authorization if it sends the whole transaction. The same dispute can go back and forth, so each
 * event counts once.
 */
function readDispute(dispute: Fields, event: Fields, sign: 1n | -1n): Told {
  const currency = currencyOf(dispute, 'currency')
  const amount = minorOf(dispute, 'amount', currency)
  if (amount < 0n) note(dispute, 'amount')
  const ofTransaction = idOrNull(dispute, 'transaction')
  if (ofTransaction === null) note(dispute, 'transaction')
  const whole = wholeOrNull(dispute, 'transaction')
  return {
    ...NOTHING,
    authorizationId: whole && idOrNull(whole, 'authorization'),
    ofTransaction,
    card: whole && readCardOf(whole),
    currency,
    facts: [
      {
        kind: 'refund',
        id: textOf(event, 'id'),
        at: secondsOf(event, 'created'),
        cause: 'dispute',
        amount: sign * amount,
      },
    ],
  }
}

function readCard(card: Fields): Told {
  const told = readStripeCard(card)
  if (told.state === null) note(card, 'status')
  return { ...NOTHING, card: told, cardStatus: told.state }
}
