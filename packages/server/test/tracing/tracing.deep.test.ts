import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { type RunningServer, startServer } from '../../src/process/server.ts'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  type TestDatabase,
  usualEngine,
} from '../support/database.ts'
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

let database: TestDatabase | undefined
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let collector: Awaited<ReturnType<typeof startOtlpReceiver>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let gateway: RunningServer
let apiKey: string

beforeAll(async () => {
  folder = await createTemporaryFolder()
  collector = await startOtlpReceiver()
  receiver = await startReceiver()
  if (usualEngine() === 'postgres') database = await createTestDatabase('postgres')
  else copyEmbeddedTemplate(folder.path)
  const env = {
    PURSER_PORT: '0',
    PURSER_LOG_LEVEL: 'fatal',
    PURSER_DATA_DIR: folder.path,
    PURSER_INIT_ORG: 'Acme',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...(database && { DATABASE_URL: database.url }),
  }
  gateway = await startServer(readConfig(env))
  apiKey = (await readFile(gateway.firstKeyFile ?? '', 'utf8')).trim()
})
afterAll(async () => {
  await gateway?.stop()
  await receiver?.close()
  await collector?.close()
  await database?.drop()
  await folder?.remove()
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

test('a request, its decision and its webhook are spans that the collector gets', async () => {
  const call = async (path: string, body: object, headers = {}, method = 'POST') => {
    const response = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect([response.status, text]).toEqual([200, text])
    const answer: { readonly id: string; readonly transactionId: string } = JSON.parse(text)
    return answer
  }
  await call('/organization', { webhookUrl: receiver.url }, {}, 'PATCH')
  const { id: agentId } = await call('/agents', { name: 'Buyer' })
  const { id } = await call('/mandates', { agentId, budgetTotal: 100 })
  await call(`/mandates/${id}/activate`, {})
  const spend = { agentId, amount: 1, vendor: 'api.example.com', category: 'llm' }
  const traced = { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': 'mine-7' }
  const { transactionId } = await call('/gateway/evaluate', spend, traced)
  await waitUntil(() => receiver.received.length > 0)
  // A stop sends every span, and ends the attempts first.
  await gateway.stop()

  const { spans } = collector
  const named = (name: string): ReceivedSpan[] => spans.filter((span) => span.name === name)
  const [request] = named('POST /api/v1/gateway/evaluate')
  expect(request).toMatchObject({
    traceId: TRACE,
    parentSpanId: CALLER,
    service: 'purser',
    fields: { 'http.route': '/api/v1/gateway/evaluate', 'purser.client_request_id': 'mine-7' },
  })
  expect(Number(request?.fields['http.response.status_code'])).toBe(200)
  const [decision] = named('decide')
  expect(decision).toMatchObject({
    traceId: TRACE,
    parentSpanId: request?.spanId,
    fields: {
      'purser.path': 'evaluate',
      'purser.decision': 'approved',
      'purser.transaction_id': transactionId,
    },
  })
  const webhooks = named('webhook POST')
  expect(webhooks.length).toBeGreaterThan(0)
  const sent = receiver.received.map(({ headers }) => headers['traceparent'])
  for (const { traceId, spanId, fields } of webhooks) {
    expect(sent).toContain(`00-${traceId}-${spanId}-01`)
    expect(fields['server.address']).toBe(new URL(receiver.url).host)
  }
  expect(JSON.stringify(spans)).not.toMatch(new RegExp(`${apiKey}|/hook|api\\.example\\.com`))
})
