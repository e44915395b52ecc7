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
let url: string
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  url = await app.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(killPursers)
afterAll(() => app?.stop())

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('purser listen forwards an event as the webhook sends it, prints a line for it, and counts on Ctrl-C', async () => {
  const { listener, receiver, eventId } = await forwardOne([], { PURSER_WEBHOOK_SECRET: SECRET })
  expect(listener.lines).toEqual([
    expect.stringMatching(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  transaction.approved +${eventId}  200  \\d+ ms$`),
    ),
  ])
  expect(listener.told.at(-1)).toBe('1 forwarded, 0 failed.')
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId])
})

test('purser listen --json prints the new secret and each event as JSON objects', async () => {
  const { listener, eventId } = await forwardOne(['--json'])
  const [first, second] = listener.lines.map((line) => JSON.parse(line))
  expect(first).toEqual({ secret: expect.stringMatching(/^whsec_/) })
  expect(second).toEqual({
    event: expect.objectContaining({ id: eventId, event: 'transaction.approved' }),
    attempt: {
      outcome: 'succeeded',
      startedAt: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
      error: null,
      response: { status: 200 },
    },
  })
  expect(listener.told.join()).not.toContain(first.secret)
})

/** Forwards the event of one spend, and stops the command. */
async function forwardOne(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const receiver = await startReceiver()
  const { agentId } = await anActiveMandate(acme)
  const listener = await startPurser(
    ['listen', '--url', url, '--forward-to', receiver.url, ...args],
    { ...env, PURSER_API_KEY: acme.apiKey },
  )
  await waitUntil(() => listener.told.some((line) => line.includes('Following')))
  const spend = { agentId, amount: 1, vendor: 'api.openai.com', category: 'llm' }
  const { body } = await acme.post('/gateway/evaluate', spend)
  const eventId = body.transactionId.replace('txn_', 'evt_')
  await waitUntil(() => listener.lines.some((line) => line.includes(eventId)))
  expect(await listener.interrupt()).toBe(0)
  await receiver.close()
  return { listener, receiver, eventId }
}

test('purser listen knows the kinds of events that the gateway has', () => {
  expect(EVENT_KINDS).toEqual(GATEWAY_KINDS)
})
