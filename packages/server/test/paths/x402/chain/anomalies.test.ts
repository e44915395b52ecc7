import { describe, expect, test } from 'vitest'
import {
  addAnomalies,
  judgeReceipt,
  tellAnomalies,
} from '../../../../src/paths/x402/chain/anomalies.ts'
import type { X402Payment } from '../../../../src/paths/x402/payment.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { PAYER, someOffer } from '../some-offer.ts'
import { NOON, somePayment } from '../some-payment.ts'

const PAYMENT = somePayment(2, someOffer(), PAYER)
const receipt = (detail: string) => ({ kind: 'receipt_differs', detail }) as const
const kindsOf = (change: Partial<X402Payment>) =>
  judgeReceipt({ ...PAYMENT, ...change }).map(({ kind }) => kind)

describe('a receipt', () => {
  const moved = { state: 'settled', proof: 'chain', chainTransaction: '0xAB' } as const
  const unmoved = { state: 'released', proof: 'chain', chainTransaction: null } as const

  test('is right if it names the transaction that moved the money, in whatever case', () => {
    expect(kindsOf({ ...moved, receipt: '0xab' })).toEqual([])
    expect(kindsOf({ ...moved, receipt: '0xac' })).toEqual(['receipt_differs'])
  })

  test('is invented if the chain proves that no money moved', () => {
    expect(kindsOf({ ...unmoved, receipt: '0xab' })).toEqual(['receipt_invented'])
  })

  test('is judged by the proof of the chain alone', () => {
    expect(kindsOf({ ...moved, receipt: null })).toEqual([])
    expect(kindsOf({ ...unmoved, receipt: null })).toEqual([])
    expect(kindsOf({ ...unmoved, proof: 'unsigned', receipt: '0xab' })).toEqual([])
    expect(kindsOf({ ...moved, chainTransaction: null, receipt: '0xab' })).toEqual([])
  })
})

describe('the anomalies of a payment', () => {
  test('are recorded once each', () => {
    const first = addAnomalies(PAYMENT, [receipt('a')], NOON)
    expect(first.anomalies).toEqual([{ ...receipt('a'), at: '2026-11-15T12:00:00.999Z' }])
    expect(addAnomalies(first, [receipt('a')], NOON + 1)).toBe(first)
    const kinds = [receipt('b'), { kind: 'receipt_invented', detail: 'a' }] as const
    const second = addAnomalies(first, kinds, NOON + 1)
    expect(second.anomalies.map(({ detail }) => detail)).toEqual(['a', 'b', 'a'])
  })

  test('are recorded once if they are long, too', () => {
    const long = receipt('x'.repeat(401))
    const first = addAnomalies(PAYMENT, [long], NOON)
    expect(first.anomalies[0]?.detail).toHaveLength(400)
    expect(addAnomalies(first, [long], NOON)).toBe(first)
  })

  test('are at most ten', () => {
    const many = Array.from({ length: 9 }, (_, n) => receipt(`${n}`))
    const nine = addAnomalies(PAYMENT, many, NOON)
    const ten = addAnomalies(nine, [receipt('a'), receipt('b')], NOON)
    expect(ten.anomalies.map(({ detail }) => detail).slice(8)).toEqual(['8', 'a'])
    expect(addAnomalies(ten, [receipt('b')], NOON)).toBe(ten)
  })

  test('are logged as far as they are new', () => {
    const logged: unknown[] = []
    const log = { ...silentLog, warn: (fields: unknown) => logged.push(fields) }
    const before = addAnomalies(PAYMENT, [receipt('a')], NOON)
    const after = addAnomalies(before, [receipt('b')], NOON)
    tellAnomalies(log, before, after)
    expect(logged).toMatchObject([{ detail: 'b', kind: 'receipt_differs' }])
    tellAnomalies(log, undefined, after)
    expect(logged).toHaveLength(3)
  })
})
