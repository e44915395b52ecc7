import { describe, expect, test } from 'vitest'
import type { Chain } from '../../../../src/paths/x402/chain/chains.ts'
import type { Fate } from '../../../../src/paths/x402/chain/fate.ts'
import {
  afterEnd,
  findEnd,
  NEVER_SIGNED,
  reconcile,
  type SettlementParts,
} from '../../../../src/paths/x402/chain/settlement.ts'
import type { X402Payment } from '../../../../src/paths/x402/payment.ts'
import { PAYER, someOffer } from '../some-offer.ts'
import { somePayment } from '../some-payment.ts'

const PAYMENT = somePayment(2, someOffer(), PAYER)
/** A payment counts as spent a quarter of an hour after its end, if no node can tell. */
const ASSUMED_AT = PAYMENT.authorization.validBefore * 1_000 + 15 * 60_000
const ASSUMED = { state: 'settled', proof: 'assumed', chainTransaction: null }

/** A lookup needs only the chain and both clocks, of which the database's decides. */
function partsWith(chain: Partial<Chain> | undefined, ours = 0, theirs = ours) {
  const chains = { networks: [], isEnabled: () => true, chain: () => chain }
  return { chains, now: () => ours, clock: async () => theirs } as unknown as SettlementParts
}

describe('the end of a payment on its chain', () => {
  test.each<[Fate, object | undefined]>([
    [
      { kind: 'settled', transaction: '0xa' },
      { state: 'settled', proof: 'chain', chainTransaction: '0xa' },
    ],
    [
      { kind: 'dead', transaction: '0xb' },
      { state: 'released', proof: 'chain', chainTransaction: '0xb' },
    ],
    [
      { kind: 'dead', transaction: null },
      { state: 'released', proof: 'chain', chainTransaction: null },
    ],
    [{ kind: 'unseen' }, ASSUMED],
    [{ kind: 'open' }, undefined],
  ])('follows from its fate: %o', async (fate, end) => {
    expect(await findEnd(partsWith({ fateOf: async () => fate }), PAYMENT)).toEqual(end)
  })
})

describe('the end of a payment on a network without a node', () => {
  const handedOut = { handedOutAt: PAYMENT.createdAt }
  const endAt = (change: Partial<X402Payment>, ours: number, theirs = ours) =>
    findEnd(partsWith(undefined, ours, theirs), { ...PAYMENT, ...change })

  test('is spent a quarter of an hour after it ends, if it was handed out', async () => {
    expect(await endAt(handedOut, ASSUMED_AT - 1)).toBeUndefined()
    expect(await endAt(handedOut, ASSUMED_AT)).toEqual(ASSUMED)
  })

  test('is released then, if it was never signed', async () => {
    for (const fromBlock of [null, 5n]) {
      expect(await endAt({ fromBlock }, ASSUMED_AT - 1)).toBeUndefined()
      expect(await endAt({ fromBlock }, ASSUMED_AT)).toEqual(NEVER_SIGNED)
    }
  })

  test('is decided by the database’s clock, which is read only if ours is past it', async () => {
    expect(await endAt(handedOut, ASSUMED_AT, ASSUMED_AT - 1)).toBeUndefined()
    expect(await endAt(handedOut, ASSUMED_AT - 1, ASSUMED_AT)).toBeUndefined()
  })

  test('waits for a node, if there was one when it was signed', async () => {
    await expect(endAt({ ...handedOut, fromBlock: 5n }, ASSUMED_AT)).rejects.toThrow(
      `No node is configured for ${PAYMENT.network} any more.`,
    )
  })
})

describe('the booking of an end', () => {
  const PROVEN = { state: 'released', proof: 'chain', chainTransaction: null } as const
  const signed = { ...PAYMENT, handedOutAt: PAYMENT.createdAt }
  const after = (payment: X402Payment, end?: Parameters<typeof afterEnd>[1]) =>
    afterEnd(payment, end, PAYMENT.createdAt)

  test('ends an open payment', () => {
    expect(after(PAYMENT, NEVER_SIGNED)).toEqual({ ...PAYMENT, ...NEVER_SIGNED })
    expect(after(signed, PROVEN)).toEqual({ ...signed, ...PROVEN })
  })

  test('leaves a payment that another process has ended meanwhile', () => {
    const ended = { ...PAYMENT, state: 'settled', proof: 'chain' } as const
    expect(after(ended, PROVEN)).toBe(ended)
    expect(after(ended, NEVER_SIGNED)).toBe(ended)
  })

  test('leaves a payment that another process has signed meanwhile', () => {
    expect(after(signed, NEVER_SIGNED)).toBe(signed)
  })

  test('leaves a payment without an end', () => {
    expect(after(PAYMENT)).toBe(PAYMENT)
  })

  test('records a receipt that the chain disproves', () => {
    const { anomalies } = after({ ...signed, receipt: '0xa' }, PROVEN)
    expect(anomalies.map(({ kind }) => kind)).toEqual(['receipt_invented'])
  })
})

test('a payment that has ended, or is still open, stays as it is', async () => {
  const ended = { ...PAYMENT, state: 'settled' } as const
  const fateOf = async () => {
    throw new Error('The chain was queried.')
  }
  expect(await reconcile(partsWith({ fateOf }), ended)).toBe(ended)
  const open = async () => ({ kind: 'open' }) as const
  expect(await reconcile(partsWith({ fateOf: open }), PAYMENT)).toBe(PAYMENT)
})
