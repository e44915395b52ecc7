import { describe, expect, test } from 'vitest'
import type { CardEvent } from '../../../../src/paths/card/issuers/issuer.ts'
import { stripe } from '../../../../src/paths/card/issuers/stripe.ts'
import type { SnapshotFact } from '../../../../src/paths/card/ledger/facts.ts'
import { sample } from '../../../support/card/samples.ts'

const CARD = { externalId: 'ic_test_1', last4: '4242', state: 'active' } as const
const NAMED_CARD = { externalId: 'ic_test_1', last4: null, state: null }
const MERCHANT = {
  network: 'visa',
  id: '100200300400',
  name: 'EXAMPLE SAAS INC',
  url: null,
  mcc: '5734',
  country: 'US',
}
const noHeader = () => undefined
const read = (body: unknown) => stripe.readEvent(body, noHeader)

interface Seen extends Partial<Omit<SnapshotFact, 'id' | 'at'>> {
  readonly authorization?: string
  readonly decidedWithoutUs?: CardEvent['decidedWithoutUs']
}

/** What an event about an authorization says; usually that 49 USD are held. */
function seen(
  event: string,
  at: number,
  { authorization = 'A1', decidedWithoutUs = null, ...snapshot }: Seen,
): CardEvent {
  return {
    kind: 'event',
    eventId: `evt_test_${event}`,
    isLive: false,
    at,
    authorizationId: `iauth_test_${authorization}`,
    ofTransaction: null,
    card: CARD,
    currency: 'USD',
    merchant: MERCHANT,
    facts: [
      {
        kind: 'snapshot',
        id: `evt_test_${event}`,
        at,
        isApproved: true,
        status: 'pending',
        amount: 49_000_000n,
        covers: 1,
        captures: [],
        ...snapshot,
      },
    ],
    cardStatus: null,
    decidedWithoutUs,
  }
}

/** What an event about money that moved says. The money itself moved on January 2. */
function moved(event: string, at: number, fact: CardEvent['facts'][number], more = {}): CardEvent {
  return {
    ...seen(event, at, {}),
    card: NAMED_CARD,
    merchant: { ...MERCHANT, network: null },
    facts: [fact],
    ...more,
  }
}

const malformed = (field: string) => ({
  unread: 'malformed',
  why: `The field ${field} cannot be read.`,
})

const JAN_2 = Date.UTC(2026, 0, 2)
const capture = (id: string, amount: bigint) =>
  ({ kind: 'capture', id: `ipi_test_${id}`, at: JAN_2, amount, currency: 'USD' }) as const
const refund = (id: string, amount: bigint) =>
  ({ ...capture(id, amount), kind: 'refund', cause: 'merchant' }) as const

describe('an event of Stripe', () => {
  const start = Date.UTC(2026, 0, 1)
  test.each<[string, CardEvent]>([
    ['02_created_approved', seen('0002', start + 1_000, {})],
    [
      '04_updated_increment_approved',
      seen('0004', Date.UTC(2026, 0, 1, 1, 0, 1), { amount: 64_000_000n, covers: 2 }),
    ],
    ['05_updated_partial_reversal', seen('0005', Date.UTC(2026, 0, 1, 2), { amount: 40_000_000n })],
    [
      '06_updated_reversed',
      seen('0006', Date.UTC(2026, 0, 1, 2, 30), { status: 'reversed', amount: 0n }),
    ],
    ['07_updated_expired', seen('0007', Date.UTC(2026, 0, 8), { status: 'expired' })],
    ['08_txn_capture_full', moved('0008', JAN_2, capture('C1', 49_000_000n))],
    ['09_updated_closed', seen('0009', JAN_2 + 1_000, { status: 'closed' })],
    ['10_txn_capture_partial', moved('0010', JAN_2, capture('C2', 20_000_000n))],
    ['11_txn_capture_second', moved('0011', Date.UTC(2026, 0, 3), capture('C3', 29_000_000n))],
    [
      '12_txn_overcapture',
      moved('0012', JAN_2, capture('C4', 58_800_000n), {
        merchant: { ...MERCHANT, network: null, name: 'EXAMPLE BISTRO', mcc: '5812' },
      }),
    ],
    [
      '13_txn_force_capture',
      moved('0013', JAN_2, capture('F1', 12_000_000n), { authorizationId: null }),
    ],
    ['14_txn_refund_linked', moved('0014', Date.UTC(2026, 0, 6), refund('R1', 10_000_000n))],
    [
      '15_txn_refund_unlinked',
      moved('0015', Date.UTC(2026, 0, 6), refund('R2', 7_000_000n), { authorizationId: null }),
    ],
    [
      '20_created_declined_by_provider',
      seen('0020', start, { authorization: 'D1', isApproved: false, status: 'closed' }),
    ],
    [
      '21_created_timeout_approved',
      seen('0021', start, { authorization: 'T1', decidedWithoutUs: 'timeout' }),
    ],
    [
      '22_created_timeout_declined',
      seen('0022', start, {
        authorization: 'T2',
        isApproved: false,
        status: 'closed',
        decidedWithoutUs: 'timeout',
      }),
    ],
    [
      '23_created_webhook_error',
      seen('0023', start, {
        authorization: 'E1',
        isApproved: false,
        status: 'closed',
        decidedWithoutUs: 'error',
      }),
    ],
  ])('%s is read', (file, expected) => {
    expect(read(sample(`stripe/${file}`))).toEqual(expected)
  })

  test('lists the captures that it includes, and tells what they took', () => {
    const body = sample('stripe/09_updated_closed')
    const first = sample('stripe/10_txn_capture_partial').data.object
    const back = sample('stripe/14_txn_refund_linked').data.object
    body.data.object.transactions = [first, back, { ...first, id: 'ipi_new', type: 'new' }]
    expect(read(body)).toMatchObject({
      facts: [
        capture('C2', 20_000_000n),
        refund('R1', 10_000_000n),
        { kind: 'snapshot', captures: ['ipi_test_C2'] },
      ],
    })
  })

  test('of an older version that leaves an amount on what it calls reversed is an expiry', () => {
    const body = sample('stripe/07_updated_expired')
    body.data.object.status = 'reversed'
    expect(read(body)).toMatchObject({ facts: [{ status: 'expired', amount: 49_000_000n }] })
  })

  test('tells once that we were silent, although later ones repeat it', () => {
    const body = sample('stripe/04_updated_increment_approved')
    body.data.object.request_history[0].reason = 'webhook_timeout'
    expect(read(body)).toMatchObject({ decidedWithoutUs: null })
    body.data.previous_attributes.request_history = []
    expect(read(body)).toMatchObject({ decidedWithoutUs: 'timeout' })
  })

  test('about a refund below zero takes the refund back', () => {
    const body = sample('stripe/14_txn_refund_linked')
    body.data.object.amount = -1_000
    expect(read(body)).toMatchObject({ facts: [refund('R1', -10_000_000n)] })
  })

  test.each([
    ['issuing_dispute.funds_reinstated', 49_000_000n],
    ['issuing_dispute.funds_rescinded', -49_000_000n],
  ])('%s moves disputed money', (type, amount) => {
    const dispute = { id: 'idp_1', amount: 4_900, currency: 'usd', transaction: 'ipi_test_C1' }
    const body = { ...sample('stripe/08_txn_capture_full'), type, data: { object: dispute } }
    const fact = { kind: 'refund', id: 'evt_test_0008', at: JAN_2, cause: 'dispute', amount }
    expect(read(body)).toMatchObject({
      authorizationId: null,
      ofTransaction: 'ipi_test_C1',
      facts: [fact],
    })
    const whole = sample('stripe/08_txn_capture_full').data.object
    expect(read({ ...body, data: { object: { ...dispute, transaction: whole } } })).toMatchObject({
      authorizationId: 'iauth_test_A1',
      ofTransaction: 'ipi_test_C1',
      card: NAMED_CARD,
      facts: [fact],
    })
  })

  test.each([
    ['active', 'active'],
    ['inactive', 'paused'],
    ['canceled', 'closed'],
  ])('that a card is %s says that it is %s', (status, cardStatus) => {
    const card = { ...sample('stripe/stripe.issuing.card'), id: 'ic_test_1', last4: '4242', status }
    const body = { ...sample('stripe/02_created_approved'), type: 'issuing_card.updated' }
    expect(read({ ...body, data: { object: card } })).toMatchObject({
      card: { ...CARD, state: cardStatus },
      cardStatus,
      facts: [],
    })
  })

  test('may be about no amount, no card, and no request', () => {
    const money = sample('stripe/08_txn_capture_full')
    Object.assign(money.data.object, { amount: 0, card: null })
    expect(read(money)).toMatchObject({ card: null, facts: [capture('C1', 0n)] })
    const dispute = { id: 'idp_1', amount: 0, currency: 'usd', transaction: 'ipi_test_C1' }
    const type = 'issuing_dispute.funds_reinstated'
    expect(read({ ...money, type, data: { object: dispute } })).toMatchObject({
      facts: [{ kind: 'refund', amount: 0n }],
    })
    const authorization = sample('stripe/02_created_approved')
    authorization.data.object.request_history = []
    expect(read(authorization)).toMatchObject({ facts: [{ covers: 0 }], decidedWithoutUs: null })
  })

  test.each([
    'issuing_authorization.request',
    'issuing_transaction.updated',
    'issuing_transaction.purchase_details_receipt_updated',
    'issuing_dispute.created',
    'customer.created',
    'constructor',
  ])('%s changes nothing here', (type) => {
    expect(read({ ...sample('stripe/02_created_approved'), type })).toMatchObject({
      unread: 'other',
    })
  })

  test.each<[string, string, object]>([
    ['02_created_approved', 'data.object.status', { status: 'new' }],
    ['02_created_approved', 'data.object.approved', { approved: 'yes' }],
    ['02_created_approved', 'data.object.amount', { amount: -1 }],
    ['08_txn_capture_full', 'data.object.amount', { amount: 4_900 }],
    ['08_txn_capture_full', 'data.object.type', { type: 'new' }],
  ])('%s without a usable %s is malformed', (file, field, spoiled) => {
    const body = sample(`stripe/${file}`)
    Object.assign(body.data.object, spoiled)
    expect(read(body)).toEqual(malformed(field))
  })

  test('whose kind cannot be read is malformed, because it may be about money', () => {
    expect(read({ ...sample('stripe/08_txn_capture_full'), type: 7 })).toEqual(malformed('type'))
  })

  test.each<[string, object, string]>([
    ['issuing_dispute.funds_rescinded', { amount: -1 }, 'amount'],
    ['issuing_dispute.funds_rescinded', { transaction: null }, 'transaction'],
    ['issuing_card.updated', { status: 'new' }, 'status'],
  ])('%s with %o is malformed', (type, spoiled, field) => {
    const sound = { id: 'ic_1', amount: 1, currency: 'usd', transaction: 'ipi_1', last4: '4242' }
    const data = { object: { ...sound, ...spoiled } }
    const body = { ...sample('stripe/02_created_approved'), type, data }
    expect(read(body)).toEqual(malformed(`data.object.${field}`))
  })
})
