import { randomUUID } from 'node:crypto'
import { toMinor } from '../../../core/minor-unit.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { toldOf } from './decline-map.ts'
import {
  childOf,
  childOrNull,
  type Fields,
  flagOrNull,
  mistakeIn,
  note,
  readFields,
  textOf,
  textOrNull,
  timeOf,
} from './fields.ts'
import type { CardRequest, CardVerdict, Issuer, IssuerAnswer, Unread } from './issuer.ts'
import { readLithicEvent } from './lithic-events.ts'
import { lithicStateOf, type Priced, readLithicMerchant, readPriced } from './lithic-parts.ts'
import { toLithicRequest } from './lithic-request.ts'
import { signAsLithic } from './sign.ts'
import { isStandardWebhookSecret, type SignedBytes, verifyStandardWebhook } from './signatures.ts'
import type { TriggerAnswer } from './trigger.ts'

/** Lithic waits up to six seconds and asks for an answer within three. */
const DEADLINE_MS = 2_000
/**
 * More than the clocks of one company differ, and less than a merchant takes to request an increment.
 */
const CLOCKS_APART_MS = 10_000
const REQUEST = 'card_authorization.approval_request'

const TYPES: ReadonlyMap<string, 'debit' | 'credit'> = new Map([
  ['AUTHORIZATION', 'debit'],
  // Authorization and capture in one. An event reports the capture as well, with an id of its own, so
  // the money is held until then: two facts for one capture would count it twice.
  ['FINANCIAL_AUTHORIZATION', 'debit'],
  ['CREDIT_AUTHORIZATION', 'credit'],
  ['FINANCIAL_CREDIT_AUTHORIZATION', 'credit'],
  ['BALANCE_INQUIRY', 'credit'],
])

/** Lithic: Auth Stream Access (ASA), and the events of card transactions. */
export const lithic: Issuer = {
  provider: 'lithic',
  title: 'Lithic',
  asks: 'asa',
  verify: verifyStandardWebhook,
  deadlineMs: DEADLINE_MS,
  readRequest,
  readEvent: readLithicEvent,
  answer,
  whyNoSecret: (secret) =>
    isStandardWebhookSecret(secret)
      ? undefined
      : 'must be base64, after whsec_ or without it, as Lithic shows it',
  trigger: {
    waitMs: 6_000,
    country: 'USA',
    newAuthorizationId: randomUUID,
    toRequest: toLithicRequest,
    sign: signAsLithic,
    readAnswer,
  },
}

function readAnswer({
  result,
  approved_amount: part,
}: Readonly<Record<string, unknown>>): TriggerAnswer | undefined {
  if (result === 'APPROVED') return { isApproved: true, isPartial: part !== undefined }
  return typeof result === 'string' ? { isApproved: false, reason: result } : undefined
}

function readRequest(body: unknown, header: SignedBytes['header']): CardRequest | Unread {
  const asked = readFields(body)
  // A request of ASA may lack the type.
  if ((textOrNull(asked, 'event_type') ?? REQUEST) !== REQUEST) {
    return { unread: 'other', why: 'It is not an authorization request.' }
  }
  const token = textOf(asked, 'token')
  const direction = TYPES.get(textOf(asked, 'status'))
  if (!direction) note(asked, 'status')
  const priced = readPriced(childOf(asked, 'amounts'))
  const isDebit = direction === 'debit'
  if (isDebit && priced.amount < 0n) note(asked, 'amounts')
  const card = childOf(asked, 'card')
  const request = {
    kind: 'request',
    requestId: requestIdOf(asked, token, priced),
    authorizationId: token,
    index: null,
    isLive: null,
    type: typeOf(isDebit, priced),
    card: {
      externalId: textOf(card, 'token'),
      last4: textOrNull(card, 'last_four'),
      state: lithicStateOf(textOrNull(card, 'state')),
    },
    ...priced,
    // A credit requests no money.
    amount: isDebit ? priced.amount : 0n,
    total: null,
    merchant: readLithicMerchant(asked),
    initiator: initiatorOf(asked),
    partialSupported: isPartialCapable(asked),
    at: Math.max(timeOf(asked, 'created'), sentAt(header)),
    echo: token,
  } as const
  return mistakeIn(asked, token) ?? request
}

/**
 * The time of sending, minus a tolerance. `created` is the time of the first request, also for an
 * increment. A request after a snapshot must not look as if it were part of the snapshot, so the time
 * of sending counts too. The clocks of Lithic's senders and snapshots may differ a little: a request
 * that seemed later than its own snapshot would be held twice, until the purchase ends.
 */
function sentAt(header: SignedBytes['header']): Instant {
  const seconds = Number(header('webhook-timestamp'))
  return Number.isSafeInteger(seconds) ? seconds * 1_000 - CLOCKS_APART_MS : 0
}

/**
 * The event token is new in Lithic's protocol. Without it, a retry is recognized by its other fields.
 */
function requestIdOf(asked: Fields, token: string, { amount, currency }: Priced): string {
  const event = textOrNull(asked, 'event_token')
  if (event !== null) return `${token}:${event}`
  const parts = [token, textOf(asked, 'status'), textOf(asked, 'created'), amount, currency]
  return parts.join(':')
}

function typeOf(isDebit: boolean, { amount }: Priced): CardRequest['type'] {
  if (!isDebit) return 'credit'
  return amount === 0n ? 'verification' : 'authorization'
}

function initiatorOf(asked: Fields): CardRequest['initiator'] {
  const initiator = textOrNull(asked, 'transaction_initiator')
  if (initiator === 'CARDHOLDER') return 'cardholder'
  return initiator === 'MERCHANT' ? 'merchant' : 'unknown'
}

function isPartialCapable(asked: Fields): boolean {
  const pos = childOrNull(asked, 'pos')
  const terminal = pos && childOrNull(pos, 'terminal')
  return terminal !== null && flagOrNull(terminal, 'partial_approval_capable') === true
}

function answer(verdict: CardVerdict, request: CardRequest | Unread): IssuerAnswer {
  const headers = { 'content-type': 'application/json' }
  if ('unread' in request && request.unread === 'other') return { status: 200, headers, body: '{}' }
  const { isPartial, approvedAmount, currency } = verdict
  const { echo } = request
  const body = {
    result: toldOf(verdict).lithic,
    ...(echo ? { token: echo } : {}),
    ...(isPartial && currency !== null
      ? { approved_amount: toMinor(approvedAmount, currency) }
      : {}),
  }
  return { status: 200, headers, body: JSON.stringify(body) }
}
