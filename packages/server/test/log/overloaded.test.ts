import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/base/log/create-log.ts'
import { HOST, openShop } from '../paths/acp/shop.ts'
import { createTestApp } from '../support/app.ts'
import { waitUntil } from '../support/wait-until.ts'

/** More than an agent may have under way at a time. */
const PURCHASES = 40

/** Asks for too much at once, and gives the lines that the log has of that. */
async function overload(level: string) {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => {
    lines.push(JSON.parse(line))
  }
  const { log } = createLog({ level, isProse: false }, { write })
  const app = await createTestApp(undefined, {}, log)
  onTestFinished(app.stop)
  const shop = await openShop({ app })
  let goOn = () => {}
  const until = new Promise<void>((resolve) => {
    goOn = resolve
  })
  shop.merchant.failNext('look', { until }, PURCHASES)
  const refused: string[] = []
  const asked = Array.from({ length: PURCHASES }, async () => {
    const checkoutSessionId = shop.merchant.openCheckout()
    const answer = await shop.ask({ agentId: shop.agentId, vendor: HOST, checkoutSessionId })
    if (answer.status === 503) refused.push(answer.body.code)
  })
  await waitUntil(() => refused.length >= 5)
  goOn()
  await Promise.all(asked)
  const told = lines.filter(({ event }) => event === 'http.overloaded')
  return { refused, told, text: JSON.stringify(lines) }
}

test('requests that are refused as overloaded are one line of the log', async () => {
  const { refused, told } = await overload('info')
  expect(new Set(refused)).toEqual(new Set(['overloaded']))
  expect(told).toMatchObject([{ err: { message: 'overloaded' }, requestId: expect.any(String) }])
})

test('a request that is refused as overloaded has no stack in the log at any level', async () => {
  const { refused, told, text } = await overload('debug')
  expect(told).toHaveLength(refused.length)
  expect(text).not.toMatch(/"stack"/)
})
