import { describe, expect, test } from 'vitest'
import type { CardEvent } from '../../../../src/paths/card/issuers/issuer.ts'
import { lithic } from '../../../../src/paths/card/issuers/lithic.ts'
import { sample } from '../../../support/card/samples.ts'

const TOKEN = 'fabd829d-7f7b-4432-a8f2-07ea4889aaac'
const JAN_2 = Date.UTC(2026, 0, 2)
const noHeader = () => undefined
const read = (body: unknown) => lithic.readEvent(body, noHeader)

interface Seen {
  readonly token?: string
  readonly word: string
  readonly at: number
  readonly events: number
  readonly held: bigint
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired'
  readonly money?: CardEvent['facts']
}

/** What an event says of a transaction: what moved, and what is left. */
function seen({ token = TOKEN, word, at, events, held, status, money = [] }: Seen): CardEvent {
  const id = `${token}:${word}:${at}:${events}:${held}`
  return {
    kind: 'event',
    eventId: id,
    isLive: null,
    at,
    authorizationId: token,
    ofTransaction: null,
    card: { externalId: '7ef7d65c-9023-4da3-b113-3b8583fd7951', last4: null, state: null },
    currency: 'USD',
    merchant: {
      network: 'visa',
      id: '174030075991',
      name: 'EXAMPLE SAAS INC',
      url: null,
      mcc: '5734',
      country: 'US',
    },
    facts: [
      ...money,
      {
        kind: 'snapshot',
        id,
        at,
        isApproved: true,
        status,
        amount: held,
        covers: null,
        captures: money.filter((fact) => fact.kind === 'capture').map((fact) => fact.id),
      },
    ],
    cardStatus: null,
    decidedWithoutUs: null,
  }
}

const malformed = (field: string) => ({
  unread: 'malformed',
  why: `The field ${field} cannot be read.`,
})

const eventToken = (last: number) => `bbbbbbbb-0000-4000-8000-00000000000${last}`
const capture = (last: number, amount: bigint) =>
  ({ kind: 'capture', id: eventToken(last), at: JAN_2, amount }) as const

describe('an event of Lithic', () => {
  test.each<[string, CardEvent]>([
    [
      '09_tx_pending',
      seen({
        word: 'PENDING',
        at: Date.UTC(2026, 0, 1, 0, 0, 1),
        events: 1,
        held: 49_000_000n,
        status: 'pending',
      }),
    ],
    [
      '10_tx_settled',
      seen({
        word: 'SETTLED',
        at: JAN_2,
        events: 2,
        held: 0n,
        status: 'closed',
        money: [capture(2, 49_000_000n)],
      }),
    ],
    [
      '11_tx_multi_completion_1',
      seen({
        word: 'SETTLED',
        at: JAN_2,
        events: 2,
        held: 29_000_000n,
        status: 'pending',
        money: [capture(2, 20_000_000n)],
      }),
    ],
    [
      '12_tx_over_clearing',
      seen({
        word: 'SETTLED',
        at: JAN_2,
        events: 2,
        held: 0n,
        status: 'closed',
        money: [capture(2, 58_800_000n)],
      }),
    ],
    ['13_tx_voided', seen({ word: 'VOIDED', at: JAN_2, events: 2, held: 0n, status: 'reversed' })],
    [
      '14_tx_expired',
      seen({
        word: 'EXPIRED',
        at: Date.UTC(2026, 0, 8),
        events: 2,
        held: 0n,
        status: 'expired',
      }),
    ],
    [
      '15_tx_force_post',
      seen({
        token: '77777777-7f7b-4432-a8f2-07ea4889aaac',
        word: 'SETTLED',
        at: JAN_2,
        events: 1,
        held: 0n,
        status: 'closed',
        money: [capture(5, 12_000_000n)],
      }),
    ],
    [
      '16_tx_return',
      seen({
        token: '88888888-7f7b-4432-a8f2-07ea4889aaac',
        word: 'SETTLED',
        at: Date.UTC(2026, 0, 6),
        events: 1,
        held: 0n,
        status: 'closed',
        money: [
          {
            kind: 'refund',
            id: eventToken(6),
            at: Date.UTC(2026, 0, 6),
            cause: 'merchant',
            amount: 10_000_000n,
          },
        ],
      }),
    ],
  ])('%s is read', (file, expected) => {
    expect(read(sample(`lithic/${file}`))).toEqual(expected)
  })

  test('that is the transaction alone is read the same', () => {
    const { event_type: _, ...body } = sample('lithic/10_tx_settled')
    expect(read(body)).toEqual(read(sample('lithic/10_tx_settled')))
  })

  test('17_tx_asa_timeout_declined is read', () => {
    expect(read(sample('lithic/17_tx_asa_timeout_declined'))).toMatchObject({
      authorizationId: '99999999-7f7b-4432-a8f2-07ea4889aaac',
      facts: [{ kind: 'snapshot', isApproved: false, status: 'closed', amount: 0n, captures: [] }],
      decidedWithoutUs: 'timeout',
    })
  })

  test('tells that Lithic could not use our answer', () => {
    const body = sample('lithic/17_tx_asa_timeout_declined')
    body.events.at(-1).detailed_results = ['MALFORMED_ASA_RESPONSE']
    expect(read(body)).toMatchObject({ decidedWithoutUs: 'error' })
  })

  test.each<[string, string, readonly object[]]>([
    ['AUTHORIZATION', 'APPROVED', []],
    ['AUTHORIZATION_ADVICE', 'APPROVED', []],
    ['AUTHORIZATION_EXPIRY', 'APPROVED', []],
    ['AUTHORIZATION_REVERSAL', 'APPROVED', []],
    ['BALANCE_INQUIRY', 'APPROVED', []],
    ['CREDIT_AUTHORIZATION', 'APPROVED', []],
    ['CREDIT_AUTHORIZATION_ADVICE', 'APPROVED', []],
    ['SOMETHING_NEW', 'APPROVED', []],
    ['CLEARING', 'APPROVED', [{ kind: 'capture', amount: 58_800_000n }]],
    ['CORRECTION_DEBIT', 'APPROVED', [{ kind: 'capture', amount: 58_800_000n }]],
    ['CORRECTION_CREDIT', 'APPROVED', [{ kind: 'refund', amount: 58_800_000n }]],
    ['FINANCIAL_AUTHORIZATION', 'APPROVED', [{ kind: 'capture', amount: 58_800_000n }]],
    ['FINANCIAL_AUTHORIZATION', 'DECLINED', []],
    ['FINANCIAL_CREDIT_AUTHORIZATION', 'APPROVED', [{ kind: 'refund', amount: 58_800_000n }]],
    ['RETURN', 'APPROVED', [{ kind: 'refund', amount: 58_800_000n }]],
    ['RETURN_REVERSAL', 'APPROVED', [{ kind: 'refund', amount: -58_800_000n }]],
  ])('with a %s that is %s tells what moved', (type, result, facts) => {
    const body = sample('lithic/12_tx_over_clearing')
    Object.assign(body.events[1], { type, result })
    for (const sign of [1, -1]) {
      body.events[1].amounts.cardholder.amount = sign * 5_880
      expect(read(body)).toMatchObject({ facts: [...facts, { kind: 'snapshot' }] })
    }
  })

  test('whose hold is in another currency leaves what is held as it was', () => {
    const body = sample('lithic/09_tx_pending')
    body.amounts.hold.currency = 'GBP'
    expect(read(body)).toMatchObject({ facts: [{ kind: 'snapshot', amount: null }] })
  })

  test('about money that comes back holds nothing', () => {
    const body = sample('lithic/09_tx_pending')
    body.amounts.hold.amount = -4_900
    expect(read(body)).toMatchObject({ facts: [{ kind: 'snapshot', amount: 0n }] })
  })

  test.each([
    ['OPEN', 'active'],
    ['PAUSED', 'paused'],
    ['PENDING_ACTIVATION', 'paused'],
    ['CLOSED', 'closed'],
  ])('that a card is %s says that it is %s', (state, cardStatus) => {
    const body = { event_type: 'card.updated', card_token: 'card-1', previous_fields: {}, state }
    const headers: Record<string, string> = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1767225600',
    }
    expect(lithic.readEvent(body, (name) => headers[name])).toMatchObject({
      eventId: 'msg_1',
      at: Date.UTC(2026, 0, 1),
      authorizationId: null,
      card: { externalId: 'card-1', last4: null, state: cardStatus },
      facts: [],
      cardStatus,
    })
    expect(read(body)).toMatchObject({ unread: 'malformed' })
  })

  test('that a card is in a new state is malformed', () => {
    const body = { event_type: 'card.updated', card_token: 'card-1', state: 'NEW' }
    const headers: Record<string, string> = { 'webhook-id': 'm', 'webhook-timestamp': '1767225600' }
    expect(lithic.readEvent(body, (name) => headers[name])).toEqual(malformed('state'))
  })

  test.each(['card_authorization.approval_request', 'dispute.updated', 'toString'])(
    '%s changes nothing here',
    (type) => {
      const body = { ...sample('lithic/09_tx_pending'), event_type: type }
      expect(read(body)).toMatchObject({ unread: 'other' })
    },
  )

  test.each<[string, (body: ReturnType<typeof sample>) => void]>([
    ['status', (body) => Object.assign(body, { status: 'NEW' })],
    ['updated', (body) => Object.assign(body, { updated: 'yesterday' })],
    ['events', (body) => Object.assign(body, { events: 'none' })],
    [
      'events.amounts.cardholder.currency',
      (body) => Object.assign(body.events[1].amounts.cardholder, { currency: 'EUR' }),
    ],
    ['events.token', (body) => Object.assign(body.events[1], { token: 7 })],
  ])('without a usable %s is malformed', (field, spoil) => {
    const body = sample('lithic/12_tx_over_clearing')
    spoil(body)
    expect(read(body)).toEqual(malformed(field))
  })

  test('whose kind cannot be read is malformed, because it may be about money', () => {
    expect(read({ ...sample('lithic/09_tx_pending'), event_type: 7 })).toEqual(
      malformed('event_type'),
    )
  })
})
