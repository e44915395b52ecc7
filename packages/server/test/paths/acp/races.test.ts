import { expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShop } from './shop.ts'

const TONER = [{ itemId: 'toner', name: 'Toner', quantity: 1, unitMinor: 900 }]

describeOnPostgres('twenty at once', () => {
  test('buy as much as the budget covers, and the rest is rejected', async () => {
    const app = await createTestApp('postgres')
    const shop = await openShop({ app })
    const sessions = Array.from({ length: 20 }, () =>
      shop.merchant.openCheckout({ lines: TONER, deliveryMinor: 100 }),
    )
    const bought = await Promise.all(sessions.map((session) => buyWhenFree(shop, session)))
    const rejected = bought.filter(({ decision }) => decision === 'rejected')
    for (const { evaluationDetails } of rejected) {
      expect(evaluationDetails.code).toBe('budget_exceeded')
    }
    await waitUntil(async () => (await shop.budget())[1] === 0)
    const sold = shop.merchant.orders.length
    expect(await shop.budget()).toEqual([sold * 10, 0, 100 - sold * 10])
    const completed = bought.filter(({ status }) => status === 'completed')
    // On a machine that is too slow to answer in time, some are given up.
    const isClear = completed.length + rejected.length === 20
    expect(isClear ? sold : Math.max(sold, 10)).toBe(10)
    expect(await audit(app.database.db)).toEqual([])
    await app.stop()
  })

  test('buy one session once', async () => {
    const app = await createTestApp('postgres')
    const shop = await openShop({ app, budget: 10_000 })
    const session = shop.merchant.openCheckout()
    const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.ask(fields)))
    const codes = answers.map(({ status, body }) => (status === 200 ? 200 : body.code))
    const won = codes.filter((code) => code === 200).length
    const isClear = !codes.includes('storage_unavailable')
    expect(isClear ? won : Math.max(won, 1)).toBe(1)
    const refusals = ['acp_session_used', 'overloaded', 'storage_unavailable']
    for (const code of codes) expect([200, ...refusals]).toContain(code)
    await waitUntil(async () => (await shop.budget())[1] === 0)
    const sold = shop.merchant.orders.length
    expect(isClear ? sold : Math.max(sold, 1)).toBe(1)
    expect(await shop.budget()).toEqual([sold * 45, 0, 10_000 - sold * 45])
    expect(await audit(app.database.db)).toEqual([])
    await app.stop()
  })
})

/** One agent has a bounded number of purchases under way, and is asked to come back. */
async function buyWhenFree(shop: Awaited<ReturnType<typeof openShop>>, session: string) {
  const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
  let text = ''
  await waitUntil(async () => {
    const answer = await shop.ask(fields, `race-${session}`)
    expect([200, 503]).toContain(answer.status)
    text = answer.text
    return answer.status === 200
  })
  return JSON.parse(text)
}
