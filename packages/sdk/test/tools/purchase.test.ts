import { expect, test } from 'vitest'
import { buyOnce, type Judged } from '../../src/tools/purchase.ts'

/** A gateway that stores one answer per key, and gives every new key the next of these answers. */
function answering(answers: readonly Partial<Judged>[]) {
  const stored = new Map<string, Judged>()
  const send = async (_: string | undefined, { idempotencyKey = '' }) => {
    const known = stored.get(idempotencyKey)
    const count = stored.size
    const fresh = { transactionId: `txn_${count}`, evaluationDetails: null, ...answers[count] }
    const data = known ?? (fresh as Judged)
    stored.set(idempotencyKey, data)
    const headers = known ? { 'idempotent-replayed': 'true' } : {}
    return { data, requestId: null, response: new Response(null, { headers }) }
  }
  const buy = () => buyOnce<Judged>({ path: 'x402', purchaseId: 'x'.repeat(200), send })
  return { buy, stored }
}

const REJECTED = { decision: 'rejected', status: 'rejected' } as const

test('a payment that expired unused is made again, under the next key', async () => {
  const { buy } = answering([
    { decision: 'approved', status: 'not_paid' },
    { decision: 'approved', status: 'paid' },
  ])
  await buy()
  expect(await buy()).toMatchObject({ repeated: false, answer: { status: 'paid' } })
  expect(await buy()).toMatchObject({ repeated: true, answer: { status: 'paid' } })
})

test('a payment whose outcome is not known is never made again', async () => {
  const { buy, stored } = answering([{ decision: 'approved', status: 'settlement_unknown' }])
  await buy()
  expect(await buy()).toMatchObject({ repeated: true, answer: { transactionId: 'txn_0' } })
  expect(stored.size).toBe(1)
})

test('the rejections of a purchase are bounded, and its keys are short', async () => {
  const { buy, stored } = answering(Array.from({ length: 99 }, () => REJECTED))
  for (let tries = 0; tries < 50; tries += 1) await buy()
  await expect(buy()).rejects.toMatchObject({ code: 'purchase_rejected_often' })
  expect(stored.size).toBe(50)
  for (const key of stored.keys()) expect(key).toMatch(/^tool-[0-9a-f]{64}$/)
})
