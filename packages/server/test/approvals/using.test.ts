import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import {
  anApprover,
  approvalIdIn,
  approvedFor,
  aSpender,
  askFor,
  decideOn,
  endApprovals,
  readApproval,
} from '../support/approvals.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { budgetOf, evaluate, readTransaction } from '../support/spends.ts'

const ASKS = { type: 'approval', above: 5 }

describe('an approval', () => {
  let app: TestApp
  let acme: Owner
  let approver: Client

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    approver = await anApprover(app, acme)
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  async function asking(fields: object = {}) {
    const mandate = await anActiveMandate(acme, { rules: [ASKS], ...fields })
    const { agentId } = mandate
    return { agentId, mandate, spender: await aSpender(app, acme, agentId), approver }
  }
  const codeOf = async (
    client: Client,
    agentId: string,
    fields: Readonly<Record<string, unknown>>,
  ) => (await evaluate(client, agentId, fields)).evaluationDetails.code

  test('lets the spend through once, which names it', async () => {
    const { agentId, spender, mandate } = await asking()
    const approvalId = await approvedFor({ spender, approver }, agentId)
    const made = await evaluate(spender, agentId, { approvalId })
    expect(made).toMatchObject({ decision: 'approved', status: 'settled' })
    expect(made.evaluationDetails.approval).toMatchObject({ id: approvalId, status: 'used' })
    expect((await readTransaction(acme, made.transactionId)).approvalId).toBe(approvalId)
    expect(await readApproval(acme, approvalId)).toMatchObject({
      status: 'used',
      permit: { transactionId: made.transactionId },
    })
    expect(await budgetOf(acme, mandate.id)).toEqual([10, 0, 90])
  })

  test('that was used asks anew, and says so', async () => {
    const { agentId, spender } = await asking()
    const approvalId = await approvedFor({ spender, approver }, agentId)
    await evaluate(spender, agentId, { approvalId })
    const again = await evaluate(spender, agentId, { approvalId })
    expect(again.evaluationDetails.code).toBe('approval_required')
    expect(again.evaluationDetails.message).toContain('was already used')
    expect(approvalIdIn(again)).not.toBe(approvalId)
  })

  test('that waits is named again, and not asked for twice', async () => {
    const { agentId, spender } = await asking()
    const approvalId = await askFor(spender, agentId)
    const again = await evaluate(spender, agentId, { approvalId, amount: 9 })
    expect(again.evaluationDetails.code).toBe('approval_required')
    expect(approvalIdIn(again)).toBe(approvalId)
    expect((await readApproval(acme, approvalId)).alike).toBe(1)
  })

  test('that was rejected, or has expired, is told as that, and nobody is asked', async () => {
    const { agentId, spender } = await asking()
    const rejected = await askFor(spender, agentId)
    bodyOf(await decideOn(approver, rejected, 'reject'))
    const no = await evaluate(spender, agentId, { approvalId: rejected })
    expect(no.evaluationDetails).toMatchObject({
      code: 'approval_rejected',
      approval: { id: rejected, status: 'rejected' },
    })
    const expired = await approvedFor({ spender, approver }, agentId, { amount: 11 })
    await endApprovals(app, agentId)
    const late = await evaluate(spender, agentId, { approvalId: expired, amount: 11 })
    expect(late.evaluationDetails).toMatchObject({
      code: 'approval_expired',
      approval: { id: expired, status: 'expired' },
    })
  })

  test('that does not exist, or is another agent’s, is not found', async () => {
    const { agentId, spender } = await asking()
    const other = await asking()
    const foreign = await approvedFor(other, other.agentId)
    for (const approvalId of [foreign, 'apr_019a85617c5e7d409b5e6f1f0a3c2b11']) {
      const body = { agentId, amount: 10, vendor: 'api.openai.com', category: 'llm', approvalId }
      const answer = await spender.post('/gateway/evaluate', body)
      expect(answer).toMatchObject({ status: 404, body: { code: 'approval_not_found' } })
    }
    expect((await readApproval(acme, foreign)).status).toBe('approved')
  })

  test('is not used up by a spend that something else rejects', async () => {
    const { agentId, spender, mandate } = await asking({ budgetTotal: 14 })
    const approvalId = await approvedFor({ spender, approver }, agentId)
    await evaluate(spender, agentId, { amount: 5 })
    expect(await codeOf(spender, agentId, { approvalId })).toBe('budget_exceeded')
    expect((await readApproval(acme, approvalId)).status).toBe('approved')
    bodyOf(await acme.patch(`/mandates/${mandate.id}/budget`, { budgetTotal: 15 }))
    expect(await codeOf(spender, agentId, { approvalId })).toBe('approved')
  })

  test.each([
    ['another vendor', { vendor: 'other.com' }],
    ['another category', { category: 'search' }],
    ['more', { amount: 10.000001 }],
  ])('does not cover %s', async (_, change) => {
    const { agentId, spender } = await asking()
    const approvalId = await approvedFor({ spender, approver }, agentId)
    expect(await codeOf(spender, agentId, { approvalId, ...change })).toBe('approval_required')
    expect((await readApproval(acme, approvalId)).status).toBe('approved')
  })

  test('covers less, but not more than the person allowed', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    bodyOf(await decideOn(approver, id, 'approve', { maxAmount: 8 }))
    expect(await codeOf(spender, agentId, { approvalId: id })).toBe('approval_required')
    expect(await codeOf(spender, agentId, { approvalId: id, amount: 8 })).toBe('approved')
  })

  test('does not lift a rule that was changed since, and lifts it when it is as before', async () => {
    const { agentId, spender, mandate } = await asking()
    const approvalId = await approvedFor({ spender, approver }, agentId)
    const change = (above: number) =>
      acme.patch(`/mandates/${mandate.id}`, { rules: [{ ...ASKS, above }] })
    bodyOf(await change(4))
    const asked = await evaluate(spender, agentId, { approvalId })
    expect(asked.evaluationDetails.code).toBe('approval_required')
    expect(approvalIdIn(asked)).not.toBe(approvalId)
    bodyOf(await change(5))
    expect(await codeOf(spender, agentId, { approvalId })).toBe('approved')
  })

  test('lifts rules of mandates above', async () => {
    const parent = await anActiveMandate(acme, { rules: [ASKS] })
    const { agentId, spender } = await asking({ parentMandateId: parent.id, budgetTotal: 50 })
    const approvalId = await approvedFor({ spender, approver }, agentId)
    expect(await codeOf(spender, agentId, { approvalId })).toBe('approved')
    expect(await budgetOf(acme, parent.id)).toEqual([10, 0, 90])
  })

  test('is used once by a request that is repeated with its Idempotency-Key', async () => {
    const { agentId, spender } = await asking()
    const approvalId = await approvedFor({ spender, approver }, agentId)
    const key = { 'idempotency-key': `use ${approvalId}` }
    const first = await evaluate(spender, agentId, { approvalId }, key)
    expect(await evaluate(spender, agentId, { approvalId }, key)).toEqual(first)
    expect(first.decision).toBe('approved')
  })

  test('given for the own rule or the parent’s alone asks for both in one request', async () => {
    for (const first of ['own', 'parent']) {
      const parent = await anActiveMandate(acme, first === 'parent' ? { rules: [ASKS] } : {})
      const fields = { parentMandateId: parent.id, rules: first === 'own' ? [ASKS] : [] }
      const { agentId, spender, mandate } = await asking(fields)
      const one = await approvedFor({ spender, approver }, agentId)
      const later = first === 'own' ? parent : mandate
      bodyOf(await acme.patch(`/mandates/${later.id}`, { rules: [ASKS] }))
      const both = await askFor(spender, agentId, { approvalId: one })
      expect(both).not.toBe(one)
      expect((await readApproval(acme, both)).rules).toHaveLength(2)
      // Without an approval it is the same question.
      expect(await askFor(spender, agentId)).toBe(both)
      bodyOf(await decideOn(approver, both))
      expect(await codeOf(spender, agentId, { approvalId: both })).toBe('approved')
    }
  })

  describe('of a spend at a new vendor', () => {
    const rules = [
      { type: 'new_vendor', effect: 'require_approval' },
      { type: 'price_drift', maxIncreasePercent: 10 },
    ]
    const firstOf = async (client: Client, agentId: string, fields: object) =>
      (await evaluate(client, agentId, { ...fields })).evaluationDetails.rules[0]

    test('makes the vendor known up to its amount, until something is settled', async () => {
      const { agentId, spender } = await asking({ rules, budgetTotal: 1_000 })
      const approvalId = await approvedFor({ spender, approver }, agentId)
      const more = await evaluate(spender, agentId, { amount: 10.5 })
      expect(more.evaluationDetails.code).toBe('approval_required')
      expect(more.evaluationDetails.rules[0]).toMatchObject({
        code: 'new_vendor',
        observed: 10.5,
        limit: 10,
      })
      expect(more.evaluationDetails.next.maxAmountNow).toBe(10)
      const held = { amount: 10, hold: { expiresIn: '1h' } }
      expect(await firstOf(spender, agentId, held)).toMatchObject({ outcome: 'pass' })
      // A hold is no price, so the next larger spend asks again.
      expect(await firstOf(spender, agentId, { amount: 10.5 })).toMatchObject({
        code: 'new_vendor',
      })
      expect(await codeOf(spender, agentId, { approvalId })).toBe('approved')
      expect(await codeOf(spender, agentId, { amount: 11 })).toBe('approved')
      expect(await codeOf(spender, agentId, { amount: 13 })).toBe('price_drift')
      expect(await codeOf(spender, agentId, { vendor: 'other.com' })).toBe('approval_required')
    })

    test('covers what the person allowed, and is the price that others are compared with', async () => {
      const { agentId, spender, mandate } = await asking({ rules })
      const id = await askFor(spender, agentId)
      bodyOf(await decideOn(approver, id, 'approve', { maxAmount: 4 }))
      expect(await firstOf(spender, agentId, { amount: 4.01 })).toMatchObject({
        code: 'new_vendor',
      })
      bodyOf(await acme.patch(`/mandates/${mandate.id}`, { rules: [rules[1]] }))
      const above = await evaluate(spender, agentId, { amount: 4.41 })
      expect(above.evaluationDetails).toMatchObject({
        code: 'price_drift',
        next: { maxAmountNow: 4.4 },
      })
      expect(above.evaluationDetails.message).toContain('A person approved 4 USD')
      expect(await codeOf(spender, agentId, { amount: 4.4 })).toBe('approved')
    })

    test('is replaced by a later one, and a larger one is asked for again', async () => {
      const { agentId, spender } = await asking({ rules: [rules[0]] })
      await approvedFor({ spender, approver }, agentId)
      await approvedFor({ spender, approver }, agentId, { amount: 20 })
      expect(await firstOf(spender, agentId, { amount: 20.5 })).toMatchObject({ limit: 20 })
      const [a, b] = [21, 22].map((amount) => askFor(spender, agentId, { amount }))
      bodyOf(await decideOn(approver, (await a) ?? '', 'approve', { alsoIds: [await b] }))
      expect(await firstOf(spender, agentId, { amount: 22.5 })).toMatchObject({ limit: 22 })
    })
  })
})
