import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { METRICS } from '../../src/metrics/catalogue.ts'
import { readConfig } from '../../src/process/config.ts'
import { type RunningServer, startServer } from '../../src/process/server.ts'
import type { AnswerBody } from '../support/answer-body.ts'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  describeOnUsualEngine,
  type TestDatabase,
} from '../support/database.ts'
import { readMetrics, readSeries } from '../support/metrics.ts'
import { startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

describeOnUsualEngine('a gateway with metrics', (engine) => {
  let database: TestDatabase | undefined
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let gateway: RunningServer
  let apiKey: string

  beforeAll(async () => {
    folder = await createTemporaryFolder()
    if (engine === 'postgres') database = await createTestDatabase('postgres')
    else await copyEmbeddedTemplate(folder.path)
    const env = {
      PURSER_PORT: '0',
      PURSER_METRICS_PORT: '0',
      PURSER_LOG_LEVEL: 'fatal',
      PURSER_DATA_DIR: folder.path,
      PURSER_REQUESTS_PER_MINUTE: '200',
      ...(database && { DATABASE_URL: database.url }),
      PURSER_INIT_ORG: 'Acme',
    }
    gateway = await startServer(readConfig(env))
    apiKey = (await readFile(gateway.firstKeyFile ?? '', 'utf8')).trim()
  })
  afterAll(async () => {
    await gateway?.stop()
    await database?.drop()
    await folder?.remove()
  })

  async function call(method: string, path: string, body?: object, headers = {}) {
    const response = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: AnswerBody = JSON.parse(await response.text())
    return { status: response.status, body: answer }
  }

  test('counts decisions, batches, requests, webhooks, approvals and backlogs', async () => {
    const receiver = await startReceiver()
    await call('PATCH', '/organization', { webhookUrl: receiver.url })
    const { body: agent } = await call('POST', '/agents', { name: 'Buyer' })
    const rules = [{ type: 'approval', above: 50 }]
    const mandate = { agentId: agent.id, budgetTotal: 100, rules }
    const { body: made } = await call('POST', '/mandates', mandate)
    expect((await call('POST', `/mandates/${made.id}/activate`)).status).toBe(200)
    const spend = (amount: number, headers = {}, more = {}) =>
      call(
        'POST',
        '/gateway/evaluate',
        { agentId: agent.id, amount, vendor: 'api.example.com', category: 'llm', ...more },
        headers,
      )
    const first = await spend(1, { 'idempotency-key': 'once' })
    expect(first.body).toMatchObject({ decision: 'approved' })
    await spend(1, { 'idempotency-key': 'once' })
    expect((await spend(1_000)).body).toMatchObject({ decision: 'rejected' })
    const asked = await spend(60)
    expect(asked.body).toMatchObject({ decision: 'rejected' })
    await spend(2, {}, { hold: { expiresIn: '1h' } })
    await call('GET', '/nowhere-at-all')
    await waitUntil(() => receiver.received.length >= 3)

    let page = ''
    await waitUntil(async () => {
      page = await readMetrics(gateway.metricsUrl)
      return (readSeries(page, 'purser_webhook_attempts_total{outcome="succeeded"}') ?? 0) >= 3
    })
    const approved = 'purser_decisions_total{path="evaluate",decision="approved",code="approved"}'
    expect(readSeries(page, approved) ?? 0).toBeGreaterThanOrEqual(1)
    expect(page).toMatch(
      /purser_decisions_total\{path="evaluate",decision="rejected",code="approval_required"\} 1/,
    )
    expect(readSeries(page, 'purser_decision_replays_total{path="evaluate"}')).toBe(1)
    expect(readSeries(page, 'purser_decision_seconds_count{path="evaluate"}')).toBe(4)
    expect(readSeries(page, 'purser_batch_size_count')).toBeGreaterThanOrEqual(4)
    const evaluates =
      'purser_api_requests_total{route="POST /api/v1/gateway/evaluate",status="200"}'
    expect(readSeries(page, evaluates)).toBe(5)
    expect(readSeries(page, 'purser_api_requests_total{route="none",status="404"}')).toBe(1)
    expect(readSeries(page, 'purser_approvals_pending')).toBe(1)
    expect(readSeries(page, 'purser_holds_open')).toBe(1)
    expect(readSeries(page, 'purser_webhook_delivery_seconds_count')).toBeGreaterThanOrEqual(3)
    expect(readSeries(page, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
    const ofProgram = Object.keys(METRICS).filter((name) => /^(process|nodejs)_/.test(name))
    expect(ofProgram.filter((name) => readSeries(page, name) === undefined)).toEqual([])
    const total = ['busy', 'idle'].map(
      (state) => readSeries(page, `purser_db_connections{state="${state}"}`) ?? 0,
    )
    expect(total.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0)
    // No figure of the database is missing, and no value of a tenant is a label.
    for (const [name, metric] of Object.entries(METRICS)) {
      if ('isStored' in metric) expect(page).toContain(`\n# TYPE ${name} gauge`)
    }
    expect(page).not.toMatch(/org_|agt_|example\.com|Acme/)
    await receiver.close()
  })

  test('counts the requests that a rate limit refused', async () => {
    const limited = 'purser_ratelimited_total{limit="requests_per_minute"}'
    const answers = await Promise.all(
      Array.from({ length: 250 }, () => call('GET', '/agents?limit=1')),
    )
    const refused = answers.filter(({ status }) => status === 429).length
    expect(refused).toBeGreaterThan(0)
    expect(readSeries(await readMetrics(gateway.metricsUrl), limited)).toBe(refused)
  })

  test('serves only the page, on a port of its own', async () => {
    const url = gateway.metricsUrl ?? ''
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404)
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    const head = await fetch(url, { method: 'HEAD' })
    expect(head.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })
})

describe('the settings', () => {
  test('without a port there are no metrics', () => {
    expect(readConfig({ PURSER_METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
  })

  test('metrics listen on the loopback unless a host is set', () => {
    expect(readConfig({ PURSER_METRICS_PORT: '9464' }).metrics).toEqual({
      host: '127.0.0.1',
      port: 9464,
    })
  })

  test('a port that is no port number is refused', () => {
    expect(() => readConfig({ PURSER_METRICS_PORT: 'x' })).toThrow(/PURSER_METRICS_PORT must be/)
  })
})
