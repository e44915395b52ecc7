import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENGINE } from '../../../src/core/decision/engine.ts'
import { toUuid } from '../../../src/core/id.ts'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anApprover, approvalIdIn, aSpender, decideOn } from '../../support/approvals.ts'
import { anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { aSpend, change, NO_TRANSACTION } from '../../support/spends.ts'

const RULES = [
  { type: 'amount', max: 60 },
  { type: 'limit', maxCount: 4, maxAmount: 90, window: '1h' },
  { type: 'limit', maxAmount: 70, window: 'day', groupBy: 'vendor', effect: 'flag' },
  { type: 'duplicate', window: '10m', match: ['vendor', 'amount', 'reference'] },
  { type: 'vendors', block: ['ads.example.com'] },
  { type: 'new_vendor', effect: 'flag' },
  { type: 'price_drift', maxIncreasePercent: 500 },
  { type: 'approval', above: 40 },
  { type: 'expression', expr: "!('slow' in agent.tags) || count.day < 50" },
]

describe('an earlier decision that is judged again', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const again = (transactionId: string) => acme.post('/gateway/simulate', { transactionId })

  async function decided(agentId: string, fields: object = {}, client: Client = acme) {
    const answer = await client.post('/gateway/evaluate', aSpend(agentId, { ...fields }))
    return { id: String(bodyOf(answer).transactionId), text: answer.text, body: answer.body }
  }

  /** The text of an answer without what two answers need not share. */
  function bytesOf(text: string): string {
    return text.replace(/"durationMs":[0-9.e-]+/, '').replace(/"receipt":(null|\{[^}]*\})/, '')
  }

  /** What a person was asked, and the answer with it. */
  async function withApproval(agentId: string) {
    const agent = await aSpender(app, acme, agentId)
    const spend = { amount: 50, vendor: 'b.example.com' }
    const asked = await decided(agentId, spend, agent)
    const approvalId = approvalIdIn(JSON.parse(asked.text))
    const waiting = await decided(agentId, { ...spend, approvalId }, agent)
    bodyOf(await decideOn(await anApprover(app, acme), approvalId))
    const used = await decided(agentId, { ...spend, approvalId }, agent)
    const late = await decided(agentId, { ...spend, approvalId }, agent)
    return [asked, waiting, used, late]
  }

  test('answers with the bytes of the first answer, whatever has happened since', async () => {
    const terms = { budgetTotal: 300, budgetPeriod: 'monthly' }
    const top = await anActiveMandate(acme, { ...terms, rules: [{ type: 'amount', max: 200 }] })
    const { id: agentId } = await anAgent(acme, { tags: ['slow'] })
    const parent = { parentMandateId: top.id, agentId }
    const own = await anActiveMandate(acme, { ...parent, budgetTotal: 150, rules: RULES })
    const { id: idle } = await anAgent(acme)
    const spends: readonly [string, object][] = [
      [agentId, { amount: 30, reference: 'a\nb “c”' }],
      [agentId, { amount: 30, reference: 'a\nb “c”' }],
      [agentId, { amount: 61 }],
      [agentId, { vendor: 'ads.example.com' }],
      [agentId, { amount: 20, hold: { expiresIn: '1h' } }],
      [agentId, { amount: 0.000001, vendor: 'c.example.com' }],
      [agentId, { amount: 39 }],
      [agentId, { currency: 'EUR' }],
      [agentId, { amount: 10, vendor: 'd.example.com', currency: 'USD' }],
      [agentId, { amount: 10, vendor: 'd.example.com' }],
      [idle, {}],
    ]
    const first = []
    for (const [agent, fields] of spends) first.push(await decided(agent, fields))
    const { agentId: other } = await anActiveMandate(acme, { rules: RULES })
    first.push(...(await withApproval(other)))
    bodyOf(await acme.patch(`/agents/${agentId}`, { tags: [], status: 'paused' }))
    first.push(await decided(agentId))
    bodyOf(await acme.patch(`/mandates/${own.id}`, { rules: [] }))
    bodyOf(await acme.patch(`/mandates/${own.id}/budget`, { budgetTotal: 200 }))
    await change(acme, first[0]?.id ?? '', 'refund')

    const codes = new Set<string>()
    for (const { id, text, body } of first) {
      const answer = await again(id)
      expect(bytesOf(answer.text)).toBe(bytesOf(text))
      codes.add(body.evaluationDetails.code)
    }
    expect(codes.size).toBeGreaterThan(7)
  })

  test('says by which code it was judged, where that is another than today', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { id, text } = await decided(agentId, { amount: 500 })
    const [then, before] = [ENGINE - 1, 'It was said in other words.']
    await app.rows(
      `update transactions set engine = $2,
              details = replace(details::text, $3, $4)::json where id = $1`,
      [toUuid('txn', id), then, JSON.parse(text).evaluationDetails.message, before],
    )
    const { engine, differs } = JSON.parse((await again(id)).text)
    expect(engine).toEqual({ then, now: ENGINE })
    const after = JSON.parse(text).evaluationDetails.message
    expect(differs).toContainEqual({ field: 'message', before, after })
  })

  test('keeps the sentences of an earlier engine in the answer under its key', async () => {
    const { agentId } = await anActiveMandate(acme)
    const spend = aSpend(agentId, { amount: 500 })
    const retry = () => acme.post('/gateway/evaluate', spend, { 'idempotency-key': 'in old words' })
    const { text } = await retry()
    const { transactionId, evaluationDetails } = JSON.parse(text)
    const before = 'It was said in other words.'
    await app.rows(
      `update transactions set engine = $2,
              details = replace(details::text, $3, $4)::json where id = $1`,
      [toUuid('txn', transactionId), ENGINE - 1, evaluationDetails.message, before],
    )
    expect((await retry()).text).toBe(text.replaceAll(evaluationDetails.message, before))
  })

  test('is refused where its inputs are not kept, or are not what they were', async () => {
    const { agentId } = await anActiveMandate(acme)
    const changes = [
      'engine = null, inputs = null, inputs_hash = null',
      'inputs = null, details = null, details_removed_at = clock_timestamp()',
      `inputs = replace(inputs, '"10000000"', '"20000000"')`,
      `vendor = 'another.example.com'`,
    ]
    const details = []
    for (const set of changes) {
      const { id } = await decided(agentId)
      await app.rows(`update transactions set ${set} where id = $1`, [toUuid('txn', id)])
      const { status, body } = await again(id)
      expect([status, body.code]).toEqual([422, 'inputs_not_kept'])
      details.push(body.detail)
    }
    expect(new Set(details.map((text) => text.split(': ')[1])).size).toBe(3)
  })

  test.each([
    ['rules', `jsonb_set(rules, '{0,max}', '60')`],
    ['origins', `'{"limit": {"since": 1, "isLate": false}}'`],
    ['name', `'Another name'`],
  ])('is refused where the %s of its mandate are not what they were', async (column, value) => {
    const rules = [{ type: 'amount', max: 50 }]
    const { agentId, id: mandateId } = await anActiveMandate(acme, { rules })
    const { id } = await decided(agentId)
    expect((await again(id)).status).toBe(200)
    await app.rows(`update mandate_versions set ${column} = ${value} where mandate_id = $1`, [
      toUuid('mnd', mandateId),
    ])
    const { status, body } = await again(id)
    expect([status, body.code]).toEqual([422, 'inputs_not_kept'])
  })

  test('is not found by a key of another agent, nor by another organization', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { agentId: other } = await anActiveMandate(acme)
    const { id: transactionId, text } = await decided(agentId)
    const own = await aSpender(app, acme, agentId)
    const seen = await own.post('/gateway/simulate', { transactionId })
    expect(bytesOf(seen.text)).toBe(bytesOf(text))
    for (const client of [await aSpender(app, acme, other), await app.organization()]) {
      const { status, body } = await client.post('/gateway/simulate', { transactionId })
      expect([status, body.code]).toEqual([404, 'transaction_not_found'])
    }
    expect((await again(NO_TRANSACTION)).status).toBe(404)
  })

  test('takes nothing beside its id, and a spend still needs its fields', async () => {
    const both = await acme.post('/gateway/simulate', { transactionId: NO_TRANSACTION, amount: 1 })
    expect([both.status, both.body.errors[0]?.path]).toEqual([400, '/amount'])
    const { status, body } = await acme.post('/gateway/simulate', { vendor: 'a.example.com' })
    const paths = body.errors.map(({ path }: { path: string }) => path)
    expect([status, ...paths]).toEqual([400, '/amount', '/category'])
  })
})
