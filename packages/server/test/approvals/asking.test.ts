import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { type Evaluated, evaluate, readTransaction, simulate } from '../support/spends.ts'

const ASKS = { type: 'approval', above: 5, expiresIn: '10m' }

interface ApprovalRow {
  readonly id: string
  readonly status: string
  readonly asked: number
  readonly askers: number
  readonly transactionId: string
}

describe('a spend that needs a person', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(undefined, { publicUrl: 'https://purser.example' })
    acme = await app.organization()
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const asking = async (fields: object = {}) => {
    const { agentId } = await anActiveMandate(acme, { rules: [ASKS], ...fields })
    return agentId
  }
  const approvalsOf = (agentId: string) =>
    app.rows<ApprovalRow>(
      `select id, status, asked, cardinality(asked_by) as askers, transaction_id as "transactionId"
       from approvals where agent_id = $1 order by id`,
      [agentId],
    )
  const approvalIn = ({ evaluationDetails }: Evaluated) => evaluationDetails.approval

  test('is rejected, opens a request and names it', async () => {
    const agentId = await asking()
    const evaluated = await evaluate(acme, agentId)
    const { code, evaluatedAt } = evaluated.evaluationDetails
    expect(code).toBe('approval_required')
    const approval = approvalIn(evaluated)
    expect(approval).toMatchObject({
      status: 'pending',
      url: `https://purser.example/approvals/${approval?.id}`,
      expiresAt: new Date(Date.parse(evaluatedAt) + 600_000).toISOString(),
    })
    const [row] = await approvalsOf(agentId)
    expect(row).toMatchObject({
      id: toUuid('apr', approval?.id ?? ''),
      status: 'pending',
      asked: 1,
    })
    expect(row?.transactionId).toBe(toUuid('txn', evaluated.transactionId))
  })

  test('is recorded with the request that it opened, and so is its event', async () => {
    const agentId = await asking()
    const evaluated = await evaluate(acme, agentId)
    const approvalId = approvalIn(evaluated)?.id
    expect(approvalId).toBeDefined()
    expect(await readTransaction(acme, evaluated.transactionId)).toMatchObject({ approvalId })
    const { text } = await acme.get('/events?limit=200')
    const told = JSON.parse(text).data.find(
      ({ data }: { data: { transactionId: string } }) =>
        data.transactionId === evaluated.transactionId,
    )
    expect(told.data.approvalId).toBe(approvalId)
  })

  test('joins one alike that waits, whoever sends it and however it describes itself', async () => {
    const agentId = await asking()
    const { client } = await aKey(app, acme)
    const first = await evaluate(acme, agentId, { reference: 'a' })
    const second = await evaluate(client, agentId, { reference: 'b' })
    expect(approvalIn(second)).toEqual(approvalIn(first))
    expect(await approvalsOf(agentId)).toMatchObject([{ asked: 2, askers: 2 }])
  })

  test('is asked about apart when it is another purchase', async () => {
    const agentId = await asking()
    for (const change of [{}, { amount: 11 }, { vendor: 'other.com' }, { category: 'search' }]) {
      await evaluate(acme, agentId, change)
    }
    expect(await approvalsOf(agentId)).toHaveLength(4)
  })

  test('is asked about once, however many ask at the same time', async () => {
    const agentId = await asking()
    const all = await Promise.all(Array.from({ length: 20 }, () => evaluate(acme, agentId)))
    expect(new Set(all.map((evaluated) => approvalIn(evaluated)?.id)).size).toBe(1)
    expect(await approvalsOf(agentId)).toMatchObject([{ asked: 20, askers: 1 }])
  })

  test('gets the same request again with the same Idempotency-Key, and is counted once', async () => {
    const agentId = await asking()
    const key = { 'idempotency-key': `ask ${agentId}` }
    const first = await evaluate(acme, agentId, {}, key)
    expect(await evaluate(acme, agentId, {}, key)).toEqual(first)
    expect(await approvalsOf(agentId)).toMatchObject([{ asked: 1 }])
  })

  test('opens a new request once the one alike has expired', async () => {
    const agentId = await asking()
    const first = await evaluate(acme, agentId)
    await app.rows(
      `update approvals set expires_at = now() - interval '1 second'
       where agent_id = $1`,
      [agentId],
    )
    const second = await evaluate(acme, agentId)
    expect(approvalIn(second)?.id).not.toBe(approvalIn(first)?.id)
  })

  test('asks nobody when something else stands in the way too', async () => {
    const agentId = await asking({ rules: [ASKS, { type: 'amount', max: 9 }] })
    expect(approvalIn(await evaluate(acme, agentId))).toBeNull()
    const poor = await asking({ budgetTotal: 6 })
    expect(approvalIn(await evaluate(acme, poor))).toBeNull()
    expect([...(await approvalsOf(agentId)), ...(await approvalsOf(poor))]).toEqual([])
  })

  test('asks nobody when it is only tried', async () => {
    const agentId = await asking()
    const tried = await simulate(acme, agentId)
    expect(tried.evaluationDetails.code).toBe('approval_required')
    expect(approvalIn(tried)).toBeNull()
    expect(await approvalsOf(agentId)).toEqual([])
  })

  test('is rejected without a request when a hundred of its agent wait already', async () => {
    const agentId = await asking()
    const amounts = Array.from({ length: 100 }, (_, index) => 6 + index / 100)
    await Promise.all(amounts.map((amount) => evaluate(acme, agentId, { amount })))
    const beyond = await evaluate(acme, agentId, { amount: 9 })
    expect(beyond.evaluationDetails.code).toBe('approval_required')
    expect(approvalIn(beyond)).toBeNull()
    expect(approvalIn(await evaluate(acme, agentId, { amount: 6 }))).not.toBeNull()
    expect(await approvalsOf(agentId)).toHaveLength(100)
    const other = await asking()
    expect(approvalIn(await evaluate(acme, other))).not.toBeNull()
  })

  test('names no address where nobody has said how the gateway is reached', async () => {
    const nowhere = await createTestApp(undefined, { environment: 'production' })
    try {
      const owner = await nowhere.organization()
      const { agentId } = await anActiveMandate(owner, { rules: [ASKS] })
      expect(approvalIn(await evaluate(owner, agentId))?.url).toBeNull()
    } finally {
      await nowhere.stop()
    }
  })
})
