import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { EVENT_KINDS as GATEWAY_KINDS } from '../../server/src/core/events/event.ts'
import { createTestApp, type Owner, type TestApp } from '../../server/test/support/app.ts'
import { anActiveMandate } from '../../server/test/support/builders.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { EVENT_KINDS } from '../src/listen/event-kinds.ts'
import { killPursers, startPurser } from './support/purser.ts'

// listen.deep.test.ts has the slower tests, listen/ the tests of its parts.

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterEach(killPursers)
afterAll(() => app?.stop())

test('purser listen forwards an event as the webhook sends it, prints a line for it, and counts on Ctrl-C', async () => {
  const receiver = await startReceiver()
  const { agentId } = await anActiveMandate(acme)
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const args = ['listen', '--url', url, '--forward-to', receiver.url]
  const listener = await startPurser(args, { PURSER_API_KEY: acme.apiKey })
  await waitUntil(() => listener.told.some((line) => line.includes('Following')))
  const spend = { agentId, amount: 1, vendor: 'api.openai.com', category: 'llm' }
  const { body } = await acme.post('/gateway/evaluate', spend)
  await waitUntil(() => listener.lines.length === 1)
  expect(await listener.interrupt()).toBe(0)
  const eventId = body.transactionId.replace('txn_', 'evt_')
  expect(listener.lines).toEqual([
    expect.stringMatching(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  transaction.approved +${eventId}  200  \\d+ ms$`),
    ),
  ])
  expect(listener.told.at(-1)).toBe('1 forwarded, 0 failed.')
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId])
  await receiver.close()
})

test('purser listen knows the kinds of events that the gateway has', () => {
  expect(EVENT_KINDS).toEqual(GATEWAY_KINDS)
})
