import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { addMandate, openSite, type Site } from '../../server/test/support/gateway-cluster.ts'
import type { GatewayProcess } from '../../server/test/support/gateway-process.ts'
import { createPlace } from '../../server/test/support/place.ts'
import {
  answerWith,
  type Received,
  type Receiver,
  startReceiver,
} from '../../server/test/support/receiver.ts'
import { startTcpProxy } from '../../server/test/support/tcp-proxy.ts'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { killPursers, type Purser, startPurser } from './support/purser.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let storage: Awaited<ReturnType<typeof createPlace>>
let site: Site
let gateway: GatewayProcess
let apiKey: string
let agentId: string
let receiver: Receiver

beforeAll(async () => {
  storage = await createPlace()
  const opened = await openSite(storage.place)
  site = opened.site
  gateway = opened.first
  apiKey = site.apiKey
  const terms = { budgetTotal: 10_000, rules: [{ type: 'amount', max: 25 }] }
  agentId = (await addMandate(site, gateway, terms)).agentId
})
afterAll(async () => {
  await gateway.stop()
  await site.close()
  await storage.remove()
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  killPursers()
  await receiver.close()
})

interface Answer {
  readonly id: string
  readonly eventId: string
  readonly transactionId: string
  readonly webhookSecret: string
  readonly apiKey: string
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  assert.equal(response.status, 200, answer)
  return JSON.parse(answer)
}

/** Spends above 25 are rejected. Returns the id of the transaction. */
async function spend(amount: number): Promise<string> {
  const terms = { agentId, amount, vendor: 'api.openai.com', category: 'llm' }
  const { transactionId } = await call('POST', '/gateway/evaluate', terms)
  return transactionId
}

/** A listener that is already connected to the gateway. */
const listening = (...args: string[]): Promise<Purser> => listeningTo(gateway.url, ...args)

const listeningTo = (url: string, ...args: string[]): Promise<Purser> =>
  listeningWith(SECRET, url, ...args)

/** An empty secret makes the command create one. */
async function listeningWith(
  secret: string,
  url = gateway.url,
  ...args: string[]
): Promise<Purser> {
  const to = ['--url', url, '--forward-to', receiver.url]
  const env = { PURSER_API_KEY: apiKey, PURSER_WEBHOOK_SECRET: secret }
  const listener = await startListener([...to, ...args], env)
  await hasTold(listener, 'Following')
  return listener
}

const startListener = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startPurser(['listen', ...args], env)

const hasLines = (listener: Purser, count: number) =>
  waitUntil(() => listener.lines.length >= count)

const hasTold = (listener: Purser, words: string) =>
  waitUntil(() => listener.told.some((line) => line.includes(words)))

function transactionsOf({ received }: Receiver): unknown[] {
  return received.map(({ body }) => JSON.parse(body).data.transactionId)
}

describe('purser listen', () => {
  test('forwards an approval, a rejection and a test event in order, as the webhook sends them', async () => {
    const hosted = await startReceiver()
    await call('PATCH', '/organization', { webhookUrl: hosted.url })
    const { webhookSecret } = await call('POST', '/organization/webhook-secret/rotate')
    const listener = await listeningWith(webhookSecret)
    const approved = await spend(12.5)
    const rejected = await spend(40)
    const { eventId } = await call('POST', '/webhooks/test', { event: 'mandate.budget.warning' })
    await hasLines(listener, 3)
    await waitUntil(() => hosted.received.length === 3)
    await call('PATCH', '/organization', { webhookUrl: null })
    await hosted.close()

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([toEventId(approved), toEventId(rejected), eventId])
    expect(receiver.received.map(toComparable)).toEqual(
      ids.map((id) => {
        const request = hosted.received.find(({ headers }) => headers['webhook-id'] === id)
        return request && toComparable(request)
      }),
    )
  })

  test('signs in both schemes, and prints a new secret if none is set', async () => {
    const listener = await listeningWith('')
    await spend(1)
    await hasLines(listener, 2)
    const [, secret = ''] = /(whsec_\S+)$/.exec(listener.lines[0] ?? '') ?? []
    expect(listener.told.join()).not.toContain(secret)
    const [request] = receiver.received
    assert(request)
    const { headers, body } = request
    expect(headers['x-service-signature']).toBe(
      createHmac('sha256', secret).update(body).digest('hex'),
    )
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('prints one line per delivery, and on Ctrl-C how many there were', async () => {
    const listener = await listening()
    const id = await spend(1)
    await hasLines(listener, 1)
    expect(await listener.interrupt()).toBe(0)
    expect(listener.lines).toEqual([
      expect.stringMatching(
        new RegExp(`^\\d\\d:\\d\\d:\\d\\d  transaction.approved +${toEventId(id)}  200  \\d+ ms$`),
      ),
    ])
    expect(listener.told.at(-1)).toBe('1 forwarded, 0 failed.')
    expect(listener.told.join()).not.toContain(SECRET)
  })

  test('reports a receiver that fails, does not retry, and continues', async () => {
    receiver.behave((response, received, index) => {
      if (index === 0) answerWith(500)(response, received, index)
      else if (index === 1) answerWith(302, { location: '/hook' })(response, received, index)
      else if (index === 2) response.destroy()
      else answerWith(204)(response, received, index)
    })
    const listener = await listening()
    const ids = [await spend(1), await spend(2), await spend(3), await spend(4)]
    await hasLines(listener, 4)
    await listener.interrupt()
    const outcomes = listener.lines.map((line) => line.split('  ').at(-2))
    expect(outcomes).toEqual([
      'failed: answered 500',
      'failed: answered 302',
      'failed: connection closed',
      '204',
    ])
    expect(transactionsOf(receiver)).toEqual(ids)
    expect(listener.told.at(-1)).toBe('1 forwarded, 3 failed.')
  })

  test('says once how to set the gateway when none can be reached, and keeps retrying', async () => {
    // A port that the system does not assign.
    const origin = 'http://127.0.0.1:2'
    const listener = await startListener(['--forward-to', receiver.url, '--url', origin], {
      PURSER_API_KEY: apiKey,
    })
    const isRetry = (line: string) => line.includes('Retrying in')
    await waitUntil(() => listener.told.filter(isRetry).length >= 2)
    await listener.interrupt()
    const retry = `No events from ${origin}: connection refused. Retrying in <n> s.`
    const told = listener.told.map((line) => line.replace(/in [\d.]+ s/, 'in <n> s'))
    expect(told.slice(0, 3)).toEqual([
      retry,
      'Is the gateway running? Set its address with --url or PURSER_BASE_URL.',
      retry,
    ])
  })

  test('forwards only the requested kinds', async () => {
    const listener = await listening('--events', 'transaction.rejected, mandate.budget.warning')
    await spend(1)
    const rejected = await spend(40)
    await hasLines(listener, 1)
    expect(transactionsOf(receiver)).toEqual([rejected])
  })

  test('loses nothing and repeats nothing when the gateway restarts', async () => {
    // It keeps its port: the system may assign the port of a stopped gateway to another process.
    const proxy = await startTcpProxy(gateway.url)
    onTestFinished(proxy.close)
    const listener = await listeningTo(new URL(proxy.url).origin)
    const before = await spend(1)
    await hasLines(listener, 1)

    proxy.goAway()
    await gateway.stop()
    await hasTold(listener, 'No events from')
    gateway = await site.start()
    const between = [await spend(2), await spend(3)]
    await gateway.kill()
    gateway = await site.start()
    proxy.leadTo(gateway.url)
    proxy.comeBack()
    await hasTold(listener, 'Reconnected; continuing after')
    const after = await spend(4)

    await hasLines(listener, 4)
    expect(transactionsOf(receiver)).toEqual([before, ...between, after])
  })
})

describe('purser listen ends', () => {
  const to = ['--forward-to', '4000']

  test('with 1 and says so when the gateway refuses the key', async () => {
    const key = `${apiKey.slice(0, -1)}${apiKey.endsWith('x') ? 'y' : 'x'}`
    const listener = await startListener([...to, '--url', gateway.url], { PURSER_API_KEY: key })
    expect(await listener.exited()).toBe(1)
    expect(listener.told.at(-1)).toContain('refuses the API key')
    expect(listener.told.join()).not.toContain(key)
  })

  test('with 1 and names the scope that the key lacks', async () => {
    const key = await call('POST', '/api-keys', { name: 'Spender', scopes: ['gateway:write'] })
    const listener = await startListener([...to, '--url', gateway.url], {
      PURSER_API_KEY: key.apiKey,
    })
    expect(await listener.exited()).toBe(1)
    expect(listener.told.at(-1)).toContain('webhooks:read')
  })

  test('with 1 when there is no gateway at the address', async () => {
    const listener = await startListener([...to, '--url', receiver.url], { PURSER_API_KEY: apiKey })
    expect(await listener.exited()).toBe(1)
    expect(listener.told.at(-1)).toContain('Is it the address of a Purser gateway?')
  })
})

/** The event of a transaction has the transaction's own id. */
function toEventId(transactionId: string): string {
  return transactionId.replace('txn_', 'evt_')
}

function toComparable({ headers, body }: Received): object {
  const { 'content-type': type, 'user-agent': agent, 'x-service-signature': signature } = headers
  return { type, agent, signature, id: headers['webhook-id'], body }
}
