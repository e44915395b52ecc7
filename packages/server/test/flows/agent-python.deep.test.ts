import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newWebhookSecret } from '../../src/storage/secrets/webhook-secret.ts'
import { signatureHeaders } from '../../src/webhooks/signature.ts'
import { sent } from '../support/acp/idempotency.ts'
import { startStandIn } from '../support/acp/stand-in.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aSpender, decideOn } from '../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import {
  approvalIn,
  hasPython,
  startAgent,
  startPython,
  useAgent,
} from '../support/python-agent.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { waitUntil } from '../support/wait-until.ts'
import { aTestEvent, headerOf, requestTo, settled, subscribe } from '../support/webhooks.ts'

/* The example of a Python agent, as its README starts it, against a gateway that listens. */

describe.skipIf(!hasPython)('the example of an agent in Python', () => {
  let app: TestApp
  let owner: Owner
  let gateway: string

  beforeAll(async () => {
    app = await createTestApp()
    owner = await app.organization()
    gateway = await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.stop())

  const decisionsOf = async (agentId: string) =>
    bodyOf(await owner.get(`/transactions?agentId=${agentId}`))
      .data.map(({ amount, status, settledAmount, evaluationDetails }) => {
        return [amount, status, settledAmount, evaluationDetails.code]
      })
      .toReversed()

  /** An agent for which a person decides above 10, with its key in the environment. */
  async function aBuyer() {
    const rules = [{ type: 'approval', above: 10 }]
    const { agentId } = await anActiveMandate(owner, { rules })
    const { apiKey } = await aSpender(app, owner, agentId)
    return { agentId, env: { PURSER_API_KEY: apiKey, PURSER_BASE_URL: `${gateway}/api/v1/` } }
  }
  const SPEND = '"vendor": "api.openai.com", "category": "llm"'

  test('spends as its README says, and once where an answer is lost', async () => {
    const proxy = await startTcpProxy(gateway)
    onTestFinished(proxy.close)
    const lost = proxy.cutAnswerTo('"amount": 2.0')
    const run = startAgent({ PURSER_API_KEY: owner.apiKey, PURSER_BASE_URL: proxy.url })
    bodyOf(await decideOn(owner, await approvalIn(run)))
    expect(await run.ended).toEqual({ code: 0, errors: '' })

    const output = run.lines.join('\n')
    expect(lost.repeats).toBe(1)
    expect(output).toMatch(/no_answer: retrying in \d\.\d s/)
    expect(output).toContain('settled: 0.507216 of 2\n')
    expect(output).toContain('voided: 0 of 3\n')
    expect(output).toMatch(/The hold txn_\w+ expires at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./)
    expect(output).toContain('rejected: amount_above_max.')
    expect(output).toMatch(/settled: 20 of 20$/)
    expect(output).not.toContain('psr_')

    const [, agentId = ''] = /The agent ([\w-]+) may/.exec(output) ?? []
    expect(await decisionsOf(agentId)).toEqual([
      [2, 'settled', 0.507216, 'approved'],
      [3, 'voided', 0, 'approved'],
      [4, 'held', 0, 'approved'],
      [40, 'rejected', 0, 'amount_above_max'],
      [20, 'rejected', 0, 'approval_required'],
      [20, 'settled', 20, 'approved'],
    ])
  })

  test('says exactly when an open hold expires', async () => {
    const { env } = await aBuyer()
    const [id, shown = ''] = await useAgent(
      env,
      `def hang(limit): raise TimeoutError()
try: spend(Purser(), {"amount": Decimal(1), ${SPEND}}, hang)
except OutcomeUnknown as unknown: print(unknown.transaction_id, unknown.expires_at.isoformat(), sep="\\n")`,
    )
    const { expiresAt } = bodyOf(await owner.get(`/transactions/${id}`))
    expect(Date.parse(shown)).toBe(Date.parse(String(expiresAt)))
  })

  test('leaves the hold if the vendor charged more, and names the cost', async () => {
    const { agentId, env } = await aBuyer()
    const [line] = await useAgent(
      env,
      `try: spend(Purser(), {"amount": Decimal(1), ${SPEND}}, lambda limit: limit + MILLIONTH)
except OutcomeUnknown as unknown: print(unknown)`,
    )
    expect(line).toContain('The vendor charged 1.000001')
    expect(line).toContain('amount_above_hold')
    expect(await decisionsOf(agentId)).toEqual([[1, 'held', 0, 'approved']])
  })

  test('spends nothing after a no, and not more than a person approved', async () => {
    const buy = `tell(spend_with_approval(Purser(), {"amount": Decimal(20), ${SPEND}}, lambda limit: limit, 300))`
    async function buyAfter(decision: 'approve' | 'reject', fields = {}) {
      const { agentId, env } = await aBuyer()
      const run = startPython(['-c', `from agent import *\n${buy}`], env)
      bodyOf(await decideOn(owner, await approvalIn(run), decision, fields))
      expect(await run.ended).toEqual({ code: 0, errors: '' })
      return (await decisionsOf(agentId)).slice(1)
    }
    expect(await buyAfter('reject')).toEqual([])
    expect(await buyAfter('approve', { maxAmount: 15 })).toEqual([[15, 'settled', 15, 'approved']])
  })

  test('retries with one key, and only errors that pass', async () => {
    const problem = (status: number, code: string, after = '0') =>
      sent(status, { code, detail: 'No.' }, { 'retry-after': after })
    const answers = new Map([
      ['/api/v1/passes', [problem(503, 'overloaded'), problem(429, 'rate_limited')]],
      ['/api/v1/runs', [problem(409, 'idempotency_in_flight'), sent(200, '{"half": "a bo')]],
      ['/api/v1/plan', [problem(429, 'plan_limit_exceeded')]],
      ['/api/v1/late', [problem(503, 'overloaded', '3600')]],
      ['/api/v1/state', [problem(409, 'transaction_state')]],
      ['/api/v1/moved', [sent(307, {}, { location: '/api/v1/elsewhere' })]],
    ])
    const server = await startStandIn(
      async ({ path }) => answers.get(path)?.shift() ?? sent(200, { done: true }),
    )
    onTestFinished(server.stop)
    const lines = await useAgent(
      { PURSER_API_KEY: 'psr_test_x', PURSER_URL: server.url },
      `for name in ("passes", "runs", "plan", "late", "state", "moved"):
    try: Purser().post("/" + name); print("done")
    except PurserError as error: print(error.status, error.code)
Purser().post("/order", key="order-7")`,
    )
    expect(lines.filter((line) => !line.includes('retrying'))).toEqual([
      'done',
      'done',
      '429 plan_limit_exceeded',
      '503 overloaded',
      '409 transaction_state',
      '307 unexpected_answer',
    ])
    const paths = server.requests.map(({ path }) => path.replace('/api/v1/', ''))
    const tries = ['passes', 'passes', 'passes', 'runs', 'runs', 'runs']
    expect(paths).toEqual([...tries, 'plan', 'late', 'state', 'moved', 'order'])
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(new Set(keys).size).toBe(7)
    expect(keys.at(-1)).toBe('order-7')
  })

  test.each([
    ['without a key', { PURSER_API_KEY: '' }, 'Set PURSER_API_KEY'],
    ['with a key of two lines', { PURSER_API_KEY: 'psr_test_a\npsr_test_b' }, 'Set PURSER_API_KEY'],
    ['over plain http', { PURSER_BASE_URL: 'http://127.0.0.1.example.com' }, 'Use https.'],
    ['with a key of another gateway', { PURSER_API_KEY: 'psr_test_unknown' }, 'unauthenticated:'],
  ])('fails with one line %s', async (_, change, words) => {
    const env = { PURSER_API_KEY: owner.apiKey, PURSER_BASE_URL: gateway, ...change }
    const { code, errors } = await startAgent(env).ended
    expect(code).toBe(1)
    expect(errors).toContain(words)
    expect(errors.trim().split('\n')).toHaveLength(1)
    expect(errors).not.toContain('psr_test_')
  })

  test('takes a real webhook with either secret, and refuses forged and old ones', async () => {
    const secret = bodyOf(await owner.post('/organization/webhook-secret/rotate')).webhookSecret
    const old = newWebhookSecret()
    const run = startAgent({ WEBHOOK_SECRET: `${secret} ${old}`, PORT: '0' }, 'receive')
    await waitUntil(() => run.lines.length > 0)
    const url = `http://127.0.0.1:${/port (\d+)/.exec(run.lines[0] ?? '')?.[1]}`

    async function post({ body, headers }: Pick<Received, 'body' | 'headers'>, change = {}) {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      const kept = names.map((name) => [name, String(headers[name] ?? '')])
      const all = { ...Object.fromEntries(kept), ...change }
      return (await fetch(url, { method: 'POST', headers: all, body })).status
    }
    const between = await startReceiver((response, received) => {
      void post(received).then((status) => response.writeHead(status).end())
    })
    onTestFinished(between.close)
    await subscribe(owner, between.url)
    const { id } = await aTestEvent(owner, 'transaction.rejected')
    expect((await settled(owner, id)).status).toBe('succeeded')
    const request = await requestTo(between, 1)
    const printed = `transaction.rejected ${headerOf(request, 'webhook-id')}`
    await waitUntil(() => run.lines.includes(printed))

    expect(await post({ ...request, body: request.body.replace('rejected', 'approved') })).toBe(401)
    expect(await post(request, { 'webhook-id': 'evt_another' })).toBe(401)
    expect(await post(request, { 'webhook-id': '' })).toBe(401)
    expect(await post(request, { 'webhook-signature': '' })).toBe(401)
    expect(await post(request, { 'webhook-timestamp': 'NaN' })).toBe(401)

    const sign = (current: string, seconds: number) =>
      signatureHeaders(
        { current, previous: undefined },
        'evt_1',
        Date.now() + seconds * 1_000,
        request.body,
      )
    const { body } = request
    expect(await post({ headers: sign(old, 0), body })).toBe(204)
    expect(await post({ headers: sign(newWebhookSecret(), 0), body })).toBe(401)
    expect(await post({ headers: sign(secret, -600), body })).toBe(401)
    expect(await post({ headers: sign(secret, 600), body })).toBe(401)
    run.kill()
    await run.ended
  })
})
