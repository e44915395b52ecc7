import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  DAY_MS,
} from '../../support/builders.ts'
import { aSpend, budgetOf, evaluate, readTransaction } from '../../support/spends.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('the answer to a spend', () => {
  test('has the decision, what is left after it, the transaction and every detail', async () => {
    const rules = [{ type: 'amount', max: 50 }]
    const mandate = await anActiveMandate(acme, { budgetTotal: 100, rules })
    const answer = await evaluate(acme, mandate.agentId, { amount: 12.5 })
    expect(answer).toEqual({
      decision: 'approved',
      remainingBudget: 87.5,
      transactionId: expect.stringMatching(/^txn_[0-9a-f]{32}$/),
      evaluationDetails: {
        code: 'approved',
        message: 'The spend is approved.',
        mandateVersion: 1,
        policyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        evaluatedAt: expect.stringMatching(/Z$/),
        durationMs: expect.any(Number),
        path: 'evaluate',
        firstFailure: null,
        failed: [],
        rules: [
          expect.objectContaining({ id: 'amount', outcome: 'pass', observed: 12.5, limit: 50 }),
          expect.objectContaining({ id: 'budget', outcome: 'pass', observed: 12.5, limit: 100 }),
        ],
        budget: { total: 100, spentBefore: 0, remaining: 87.5, percentUsed: 12.5, periodEnd: null },
        approval: null,
        next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
        receipt: {
          log: `purser/audit/${toPublicId('org', acme.organizationId)}`,
          leaf: expect.stringMatching(/^[0-9a-f]{64}$/),
          salt: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      },
      mandateId: mandate.id,
      agentId: mandate.agentId,
      amount: 12.5,
      vendor: 'api.openai.com',
      category: 'llm',
      flags: [],
      status: 'settled',
    })
    expect(await budgetOf(acme, mandate.id)).toEqual([12.5, 0, 87.5])
  })

  test('is on record afterwards, with what was only noted', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const noted = { reference: 'PO 7', reason: 'Näher\n"quoted", {a}', metadata: { run: 'ä\\' } }
    const { transactionId, evaluationDetails } = await evaluate(acme, agentId, noted)
    expect(await readTransaction(acme, transactionId)).toMatchObject({
      ...noted,
      agentId,
      mandateId: id,
      amount: 10,
      decision: 'approved',
      status: 'settled',
      code: 'approved',
      currency: 'USD',
      remainingBudget: 90,
      heldAmount: 0,
      settledAmount: 10,
      refundedAmount: 0,
      expiresAt: null,
      createdAt: evaluationDetails.evaluatedAt,
      settledAt: evaluationDetails.evaluatedAt,
      evaluationDetails,
    })
  })

  test('reduces a vendor that is given as a URL to its host', async () => {
    const { agentId } = await anActiveMandate(acme)
    const vendor = 'https://API.OpenAI.com:443/v1/chat?x=1'
    expect(await evaluate(acme, agentId, { vendor })).toMatchObject({ vendor: 'api.openai.com' })
  })

  test('says all that stands in the way, what would pass, and changes no budget', async () => {
    const rules = [
      { type: 'amount', max: 50 },
      { type: 'vendors', block: ['ads.example.com'] },
    ]
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100, rules })
    await evaluate(acme, agentId, { amount: 40 })
    const answer = await evaluate(acme, agentId, { amount: 70, vendor: 'ads.example.com' })
    expect(answer).toMatchObject({
      decision: 'rejected',
      status: 'rejected',
      remainingBudget: 60,
      evaluationDetails: {
        code: 'vendor_blocked',
        firstFailure: 'vendors',
        failed: ['vendors', 'amount', 'budget'],
        budget: { spentBefore: 40, remaining: 60 },
      },
    })
    expect(await readTransaction(acme, answer.transactionId)).toMatchObject({
      decision: 'rejected',
      status: 'rejected',
      code: 'vendor_blocked',
      settledAmount: 0,
      settledAt: null,
    })
    const over = await evaluate(acme, agentId, { amount: 60.000001, vendor: 'a.example.com' })
    expect(over.evaluationDetails.next.maxAmountNow).toBe(50)
    expect(await budgetOf(acme, id)).toEqual([40, 0, 60])
  })
})

describe('a budget', () => {
  test('of 10.00 covers exactly 2,500 spends of 0.004', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
    // Not all at once: on a busy machine the last ones would wait longer than the gateway lets them.
    for (let round = 0; round < 25; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => app.app.inject(evaluation(agentId, 0.004))),
      )
      const approved = answers.filter(({ body }) => body.includes('"decision":"approved"'))
      expect(approved).toHaveLength(100)
    }
    expect(await budgetOf(acme, id)).toEqual([10, 0, 0])
    const next = await evaluate(acme, agentId, { amount: 0.000001 })
    expect([next.decision, next.evaluationDetails.code]).toEqual(['rejected', 'budget_exceeded'])
  })

  function evaluation(agentId: string, amount: number) {
    return {
      method: 'POST',
      url: '/api/v1/gateway/evaluate',
      headers: { authorization: `Bearer ${acme.apiKey}`, 'content-type': 'application/json' },
      payload: JSON.stringify(aSpend(agentId, { amount })),
    } as const
  }

  test('can be spent to the last micro, and not one more', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 1 })
    expect((await evaluate(acme, agentId, { amount: 1.000001 })).decision).toBe('rejected')
    expect(await evaluate(acme, agentId, { amount: 1 })).toMatchObject({
      decision: 'approved',
      remainingBudget: 0,
    })
    expect((await evaluate(acme, agentId, { amount: 0.000001 })).decision).toBe('rejected')
  })

  test('starts anew with its period, by the clock alone', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10, budgetPeriod: 'daily' })
    const today = Date.UTC(2031, 4, 6, 23, 59, 59, 999)
    app.clock.now = today
    await evaluate(acme, agentId, { amount: 10 })
    const over = await evaluate(acme, agentId, { amount: 1 })
    expect(over).toMatchObject({ decision: 'rejected', remainingBudget: 0 })
    expect(over.evaluationDetails.next.retryAfter).toBe('2031-05-07T00:00:00.000Z')

    app.clock.now = today + 1
    expect(await budgetOf(acme, id)).toEqual([0, 0, 10])
    expect(await evaluate(acme, agentId, { amount: 4 })).toMatchObject({
      decision: 'approved',
      remainingBudget: 6,
    })
    app.clock.now = today + DAY_MS + 1
    expect(await budgetOf(acme, id)).toEqual([0, 0, 10])
    app.clock.now = undefined
  })

  test('of a parent is drawn on by its children, and stops them together', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 50 })
    const child = () => anActiveMandate(acme, { budgetTotal: 40, parentMandateId: parent.id })
    const [a, b] = [await child(), await child()]
    expect(await evaluate(acme, a.agentId, { amount: 30 })).toMatchObject({ remainingBudget: 10 })
    const over = await evaluate(acme, b.agentId, { amount: 20.000001 })
    expect(over).toMatchObject({ decision: 'rejected', remainingBudget: 20 })
    expect(over.evaluationDetails.code).toBe('parent_budget_exceeded')
    expect(over.evaluationDetails.next.maxAmountNow).toBe(20)
    expect(await evaluate(acme, b.agentId, { amount: 20 })).toMatchObject({ remainingBudget: 0 })
    expect(await budgetOf(acme, parent.id)).toEqual([50, 0, 0])
    expect([await budgetOf(acme, a.id), await budgetOf(acme, b.id)]).toEqual([
      [30, 0, 10],
      [20, 0, 20],
    ])
  })

  test('that was changed is judged by at once, and the decision names the new version', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 10 })
    await evaluate(acme, agentId, { amount: 10 })
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 15 }))
    const more = await evaluate(acme, agentId, { amount: 5 })
    expect([more.decision, more.evaluationDetails.mandateVersion]).toEqual(['approved', 2])
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ type: 'amount', max: 1 }] }))
    const strict = await evaluate(acme, agentId, { amount: 2 })
    expect(strict.evaluationDetails).toMatchObject({ code: 'amount_above_max', mandateVersion: 3 })
  })

  test('is judged by one version or the other while rules are edited during spending', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const edit = async (max: number) =>
      bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ type: 'amount', max }] })).version
    const spends = Array.from({ length: 60 }, () => evaluate(acme, agentId, { amount: 5 }))
    const versions = [await edit(1), await edit(9), await edit(2)]
    expect(versions).toEqual([2, 3, 4])
    for (const { decision, evaluationDetails } of await Promise.all(spends)) {
      const isAllowed = [1, 3].includes(evaluationDetails.mandateVersion ?? 0)
      expect(decision).toBe(isAllowed ? 'approved' : 'rejected')
    }
    expect((await evaluate(acme, agentId, { amount: 5 })).decision).toBe('rejected')
  })
})

describe('a spend that no rule is asked about is rejected and recorded', () => {
  test('without an active mandate: none, a draft, a revoked one', async () => {
    const mandates = [await anAgent(acme), await aDraft(acme), await aRevokedMandate(acme)]
    for (const agentId of mandates.map((body) => body.agentId ?? body.id)) {
      const answer = await evaluate(acme, agentId)
      expect(answer).toMatchObject({ decision: 'rejected', mandateId: null, remainingBudget: 0 })
      expect(answer.evaluationDetails).toMatchObject({
        code: 'no_active_mandate',
        mandateVersion: null,
        budget: null,
      })
      const stored = await readTransaction(acme, answer.transactionId)
      expect(stored).toMatchObject({ code: 'no_active_mandate', mandateId: null, agentId })
    }
  })

  test('of a paused agent, and is judged again once the agent is resumed', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    bodyOf(await acme.patch(`/agents/${agentId}`, { status: 'paused' }))
    const answer = await evaluate(acme, agentId)
    expect([answer.evaluationDetails.code, answer.mandateId]).toEqual(['agent_paused', id])
    bodyOf(await acme.patch(`/agents/${agentId}`, { status: 'active' }))
    expect((await evaluate(acme, agentId)).decision).toBe('approved')
  })

  test('of a frozen organization', async () => {
    const other = await app.organization('Frozen')
    const { agentId } = await anActiveMandate(other)
    bodyOf(await other.patch('/organization', { frozen: true }))
    const answer = await evaluate(other, agentId)
    expect(answer).toMatchObject({ decision: 'rejected', status: 'rejected' })
    expect(answer.evaluationDetails.code).toBe('organization_frozen')
    bodyOf(await other.patch('/organization', { frozen: false }))
    expect((await evaluate(other, agentId)).decision).toBe('approved')
  })

  test('in another currency than the mandate', async () => {
    const { agentId } = await anActiveMandate(acme, { currency: 'EUR' })
    const answer = await evaluate(acme, agentId, { currency: 'USD' })
    expect(answer.evaluationDetails.code).toBe('currency_mismatch')
    expect((await readTransaction(acme, answer.transactionId)).currency).toBe('USD')
    expect((await evaluate(acme, agentId, { currency: 'EUR' })).decision).toBe('approved')
  })

  test('before the mandate begins and after it ends', async () => {
    const [validFrom, validUntil] = [Date.UTC(2032, 0, 1), Date.UTC(2032, 1, 1)]
    const { agentId } = await anActiveMandate(acme, {
      validFrom: new Date(validFrom).toISOString(),
      validUntil: new Date(validUntil).toISOString(),
    })
    const codeAt = async (now: number) => {
      app.clock.now = now
      return (await evaluate(acme, agentId, { amount: 1 })).evaluationDetails.code
    }
    expect(await codeAt(validFrom - 1)).toBe('mandate_not_started')
    expect(await codeAt(validFrom)).toBe('approved')
    expect(await codeAt(validUntil - 1)).toBe('approved')
    expect(await codeAt(validUntil)).toBe('mandate_expired')
    app.clock.now = undefined
  })
})
