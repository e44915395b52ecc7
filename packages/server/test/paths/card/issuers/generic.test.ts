import type { Static } from 'typebox'
import { describe, expect, test } from 'vitest'
import { toCardRequest as toRequest } from '../../../../src/paths/card/issuers/generic.ts'
import { toCardEvent as toEvent } from '../../../../src/paths/card/issuers/generic-events.ts'
import type {
  AuthorizeBody,
  EventBody,
} from '../../../../src/paths/card/issuers/generic-schemas.ts'
import type { CardEvent } from '../../../../src/paths/card/issuers/issuer.ts'

const CONNECTION = 'conn_019a85617c5e7d409b5e6f1f0a3c2b11'
const AT = Date.UTC(2026, 0, 1)

const toCardRequest = (asked: Static<typeof AuthorizeBody>) => toRequest(asked, AT)
const toCardEvent = (told: Static<typeof EventBody>) => toEvent(told, AT)

const ASKED: Static<typeof AuthorizeBody> = {
  connectionId: CONNECTION,
  requestId: 'net-123-1',
  authorizationId: 'net-123',
  type: 'initial',
  card: { externalId: 'tok_1' },
  amount: 49,
  currency: 'USD',
  merchant: { name: 'EXAMPLE SAAS INC' },
  occurredAt: '2026-01-01T00:00:00Z',
}

describe('what an adapted issuer asks', () => {
  test('is read', () => {
    expect(toCardRequest(ASKED)).toEqual({
      kind: 'request',
      requestId: 'net-123-1',
      authorizationId: 'net-123',
      index: null,
      isLive: null,
      type: 'authorization',
      card: { externalId: 'tok_1', last4: null, state: null },
      amount: 49_000_000n,
      total: null,
      currency: 'USD',
      merchantAmount: null,
      merchantCurrency: null,
      merchant: {
        network: null,
        id: null,
        name: 'EXAMPLE SAAS INC',
        url: null,
        mcc: null,
        country: null,
      },
      initiator: 'unknown',
      partialSupported: false,
      at: AT,
      echo: null,
    })
  })

  test('is read with all that it may say', () => {
    const more = {
      type: 'incremental',
      totalAmount: 64.5,
      merchantAmount: 12.5,
      merchantCurrency: 'GBP',
      partialApprovalSupported: true,
      initiator: 'merchant',
      merchant: {
        name: 'EXAMPLE',
        id: '1',
        network: 'VISA',
        mcc: '5734',
        country: 'GBR',
        url: 'https://example.com',
      },
    } as const
    expect(toCardRequest({ ...ASKED, ...more })).toMatchObject({
      type: 'authorization',
      total: 64_500_000n,
      merchantAmount: 12_500_000n,
      merchantCurrency: 'GBP',
      partialSupported: true,
      initiator: 'merchant',
      merchant: {
        network: 'visa',
        id: '1',
        name: 'EXAMPLE',
        url: 'https://example.com',
        mcc: '5734',
        country: 'GB',
      },
    })
  })

  test.each([
    ['verification', 0, 'verification'],
    ['verification', undefined, 'verification'],
    ['refund', 12, 'credit'],
    ['balance_inquiry', undefined, 'credit'],
  ] as const)('as %s of %s holds nothing', (type, amount, normal) => {
    const { amount: _, ...rest } = ASKED
    const asked = { ...rest, type, ...(amount === undefined ? {} : { amount }) }
    expect(toCardRequest(asked)).toMatchObject({ type: normal, amount: 0n, total: null })
  })

  test.each([
    ['initial', undefined, '/amount is required with the type initial'],
    ['single_message', 0, '/amount is 0, but must be above 0'],
    ['incremental', 0.1234567, '/amount is 0.1234567, but must have at most six decimals'],
    ['verification', 5, '/amount is not allowed with the type verification'],
  ] as const)('as %s of %s is refused', (type, amount, why) => {
    const { amount: _, ...rest } = ASKED
    const asked = { ...rest, type, ...(amount === undefined ? {} : { amount }) }
    expect(() => toCardRequest(asked)).toThrow(why)
  })
})

const TOLD = {
  connectionId: CONNECTION,
  eventId: 'evt-1',
  occurredAt: '2026-01-01T00:00:00Z',
} as const
const MONEY = { amount: 49, currency: 'USD' } as const
const AUTHORIZATION = { authorizationId: 'net-123' } as const

const SNAPSHOT = {
  kind: 'snapshot',
  id: 'evt-1',
  at: AT,
  isApproved: true,
  status: 'pending',
  amount: null,
  covers: null,
  captures: [],
} as const
const refund = (amount: bigint, id = 'evt-1', cause = 'merchant') => ({
  kind: 'refund',
  id,
  at: AT,
  cause,
  amount,
})

type Event = Omit<Static<typeof EventBody>, keyof typeof TOLD>

describe('what an adapted issuer tells', () => {
  test.each<[Event, readonly object[]]>([
    [
      { type: 'capture', ...AUTHORIZATION, ...MONEY },
      [{ kind: 'capture', id: 'evt-1', at: AT, amount: 49_000_000n }],
    ],
    [
      { type: 'capture', ...AUTHORIZATION, ...MONEY, externalTransactionId: 'cap-1', final: true },
      [
        { kind: 'capture', id: 'cap-1', at: AT, amount: 49_000_000n },
        { ...SNAPSHOT, status: 'closed', captures: ['cap-1'] },
      ],
    ],
    [{ type: 'adjust', ...AUTHORIZATION, ...MONEY }, [{ ...SNAPSHOT, amount: 49_000_000n }]],
    [
      { type: 'adjust', ...AUTHORIZATION, amount: 0, currency: 'USD' },
      [{ ...SNAPSHOT, amount: 0n }],
    ],
    [
      { type: 'reverse', ...AUTHORIZATION, ...MONEY },
      [{ kind: 'release', id: 'evt-1', at: AT, amount: 49_000_000n }],
    ],
    [{ type: 'reverse', ...AUTHORIZATION }, [{ ...SNAPSHOT, status: 'reversed', amount: 0n }]],
    [{ type: 'expire', ...AUTHORIZATION }, [{ ...SNAPSHOT, status: 'expired' }]],
    [{ type: 'close', ...AUTHORIZATION }, [{ ...SNAPSHOT, status: 'closed' }]],
    [
      { type: 'refund', ...AUTHORIZATION, ...MONEY, externalTransactionId: 'ref-1' },
      [refund(49_000_000n, 'ref-1')],
    ],
    [
      { type: 'refund_reversal', ...AUTHORIZATION, ...MONEY, externalTransactionId: 'ref-1' },
      [refund(-49_000_000n)],
    ],
    [
      { type: 'provider_decision', ...AUTHORIZATION, ...MONEY, approved: true },
      [{ ...SNAPSHOT, amount: 49_000_000n }],
    ],
    [
      { type: 'provider_decision', ...AUTHORIZATION, approved: false },
      [{ ...SNAPSHOT, isApproved: false, status: 'closed' }],
    ],
    [{ type: 'card_status', card: { externalId: 'tok_1' }, status: 'paused' }, []],
  ])('%o becomes facts', (told, facts) => {
    expect(toCardEvent({ ...TOLD, ...told }).facts).toEqual(facts)
  })

  test.each([
    ['dispute_reinstated', 49_000_000n],
    ['dispute_rescinded', -49_000_000n],
  ] as const)('%s names the capture that it is about', (type, amount) => {
    const told = { ...TOLD, type, ...MONEY, externalTransactionId: 'cap-1' }
    expect(toCardEvent(told)).toMatchObject({
      authorizationId: null,
      ofTransaction: 'cap-1',
      facts: [refund(amount, 'evt-1', 'dispute')],
    })
  })

  test('names another transaction only with a dispute, and a request only with a decision', () => {
    const capture = { ...TOLD, ...AUTHORIZATION, ...MONEY, externalTransactionId: 'cap-1' }
    expect(toCardEvent({ ...capture, type: 'capture' }).ofTransaction).toBeNull()
    const decided = {
      ...TOLD,
      ...AUTHORIZATION,
      type: 'provider_decision',
      approved: false,
    } as const
    const refused = { ...SNAPSHOT, isApproved: false, status: 'closed' }
    expect(toCardEvent({ ...decided, requestId: 'req-1' }).facts).toEqual([
      { ...refused, ofRequest: 'req-1' },
    ])
    const [fact] = toCardEvent(decided).facts
    expect(fact).not.toHaveProperty('ofRequest')
  })

  test('is refused once for each field that is missing', () => {
    const told = { ...TOLD, ...AUTHORIZATION, type: 'provider_decision', approved: true } as const
    expect(() => toCardEvent({ ...told, amount: 5 })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: '/currency' })] }),
    )
  })

  test('names card, merchant, state and why it decided itself', () => {
    const card = { externalId: 'tok_1' }
    const merchant = { name: 'EXAMPLE', id: '1' }
    const events: readonly Partial<CardEvent>[] = [
      toCardEvent({ ...TOLD, type: 'capture', ...MONEY, card, merchant }),
      toCardEvent({ ...TOLD, type: 'card_status', card, status: 'closed' }),
      toCardEvent({
        ...TOLD,
        type: 'provider_decision',
        ...AUTHORIZATION,
        approved: false,
        cause: 'timeout',
      }),
    ]
    expect(events).toMatchObject([
      { authorizationId: null, card, merchant, currency: 'USD' },
      { card: { ...card, state: 'closed' }, cardStatus: 'closed' },
      { decidedWithoutUs: 'timeout', currency: null },
    ])
  })

  test.each<[Event, string]>([
    [
      { type: 'capture', ...MONEY },
      '/card is required with the type capture and no authorizationId',
    ],
    [{ type: 'capture', ...AUTHORIZATION, amount: 5 }, '/currency is required'],
    [{ type: 'capture', ...AUTHORIZATION, currency: 'USD' }, '/amount is required'],
    [{ type: 'capture', ...AUTHORIZATION, ...MONEY, amount: 0 }, '/amount is 0'],
    [{ type: 'adjust', ...MONEY }, '/authorizationId is required'],
    [{ type: 'reverse', ...AUTHORIZATION, amount: 5 }, '/currency is required'],
    [{ type: 'expire', ...AUTHORIZATION, ...MONEY }, '/amount is not allowed with the type expire'],
    [
      { type: 'refund', ...AUTHORIZATION, ...MONEY, final: true },
      '/final is not allowed with the type refund',
    ],
    [{ type: 'dispute_reinstated', ...MONEY }, 'dispute_reinstated and no externalTransactionId'],
    [{ type: 'provider_decision', ...AUTHORIZATION }, '/approved is required'],
    [{ type: 'provider_decision', ...AUTHORIZATION, approved: true }, '/amount is required'],
    [{ type: 'card_status', status: 'paused' }, '/card is required'],
  ])('%o is refused', (told, why) => {
    expect(() => toCardEvent({ ...TOLD, ...told })).toThrow(why)
  })
})

describe('a time of an adapted issuer', () => {
  const at = (ahead: number) => ({ occurredAt: new Date(AT + ahead).toISOString() })

  test.each([
    ['long ago', -1_000_000_000, -1_000_000_000],
    ['five minutes ahead', 300_000, 300_000],
    ['further ahead, which counts as the time of receipt', 300_001, 0],
  ])('is %s', (_when, ahead, expected) => {
    expect(toCardRequest({ ...ASKED, ...at(ahead) }).at - AT).toBe(expected)
    const told = toCardEvent({ ...TOLD, ...AUTHORIZATION, type: 'close', ...at(ahead) })
    expect([told.at - AT, (told.facts[0]?.at ?? 0) - AT]).toEqual([expected, expected])
    expect(told.isSetBack).toBe(ahead === expected ? undefined : true)
  })
})
