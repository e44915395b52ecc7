import { expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { describeOnPostgres } from '../../support/database.ts'
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
    const approved = bought.filter(({ decision }) => decision === 'approved')
    expect(approved).toHaveLength(10)
    expect(approved.every(({ status }) => status === 'completed')).toBe(true)
    expect(shop.merchant.orders).toHaveLength(10)
    expect(await shop.budget()).toEqual([100, 0, 0])
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
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    for (const code of codes) expect([200, 'acp_session_used', 'overloaded']).toContain(code)
    expect(shop.merchant.orders).toHaveLength(1)
    expect(await shop.budget()).toEqual([45, 0, 9_955])
    expect(await audit(app.database.db)).toEqual([])
    await app.stop()
  })
})

/** One agent has a bounded number of purchases under way, and is asked to come back. */
async function buyWhenFree(shop: Awaited<ReturnType<typeof openShop>>, session: string) {
  const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
  for (;;) {
    const answer = await shop.ask(fields, `race-${session}`)
    if (answer.status === 200) return JSON.parse(answer.text)
    expect([answer.status, answer.body.code]).toEqual([503, 'overloaded'])
  }
}
