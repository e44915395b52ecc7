import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../support/builders.ts'
import { openShop, type Shop } from './shop.ts'

/** More often than anybody asks. */
const ALWAYS = 10_000

/** A checkout whose merchant and provider have gone. */
async function openLost() {
  const shop = await openShop()
  const session = shop.merchant.openCheckout()
  shop.merchant.turnNext(session, 'authentication')
  const { transactionId } = await shop.buy(session)
  for (const call of ['look', 'cancel'] as const) shop.merchant.failNext(call, '503', ALWAYS)
  for (const call of ['revoke', 'inspect'] as const) shop.psp.failNext(call, '503', ALWAYS)
  return { shop, transactionId }
}

const end = async ({ acme }: Shop, id: string, how: 'settle' | 'void', body: object) => {
  const { status, body: answer } = await acme.post(`/transactions/${id}/${how}`, body)
  return [status, status === 200 ? answer.status : answer.code]
}

describe('a checkout of which nobody can tell anything', () => {
  test('is voided by the organization a day after its token has ended', async () => {
    const { shop, transactionId } = await openLost()
    const reason = { reason: 'The merchant says that there is no order.' }
    expect(await end(shop, transactionId, 'void', reason)).toEqual([409, 'transaction_state'])
    shop.later(2 * HOUR_MS)
    expect(await end(shop, transactionId, 'void', reason)).toEqual([409, 'transaction_state'])
    expect(await shop.budget()).toEqual([45, 45, 55])
    shop.later(25 * HOUR_MS)
    expect(await end(shop, transactionId, 'void', reason)).toEqual([200, 'voided'])
    expect(await shop.budget()).toEqual([0, 0, 100])
    const { flags, external } = await shop.transaction(transactionId)
    expect(flags).toEqual(['ended_by_hand'])
    expect(external).toMatchObject({ failure: { code: 'ended_by_hand' }, note: reason.reason })
    expect(await end(shop, transactionId, 'void', reason)).toEqual([409, 'transaction_state'])
  })

  test('is settled by the organization with the id of the order', async () => {
    const { shop, transactionId } = await openLost()
    shop.later(2 * HOUR_MS)
    const proof = { proof: 'ord_77' }
    expect(await end(shop, transactionId, 'settle', proof)).toEqual([200, 'settled'])
    expect(await shop.budget()).toEqual([45, 0, 55])
    expect(
      await shop.app.rows(`select after from changes where operation = 'transaction.settled'`),
    ).toEqual([{ after: expect.objectContaining({ status: 'settled', proof: 'ord_77' }) }])
    const { external } = await shop.transaction(transactionId)
    expect([external.status, external.order?.id]).toEqual(['completed', 'ord_77'])
  })
})
