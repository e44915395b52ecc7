import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, anAgent, bodyOf, NO_AGENT } from '../support/builders.ts'
import { aSpend, change, evaluate } from '../support/spends.ts'

/** What most languages make of 0.1 + 0.2. */
const NOISY = 0.1 + 0.2

describe('an amount', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test('that is off by floating-point noise alone is booked as the number that it means', async () => {
    const mandate = await anActiveMandate(acme, { budgetTotal: NOISY })
    const spend = aSpend(mandate.agentId, { amount: NOISY, hold: { expiresIn: '1h' } })
    const { transactionId, remainingBudget } = bodyOf(await acme.post('/gateway/evaluate', spend))
    expect(remainingBudget).toBe(0)
    expect((await change(acme, transactionId, 'settle', NOISY)).settledAmount).toBe(0.3)
    expect((await change(acme, transactionId, 'refund', 0.7 - 0.5)).refundedAmount).toBe(0.2)
    const url = `/mandates/${mandate.id}/budget`
    expect(bodyOf(await acme.patch(url, { budgetTotal: 0.7 + 0.1 })).budgetTotal).toBe(0.8)
  })

  test('of a rule is stored, compared and shown without the noise', async () => {
    const parent = await anActiveMandate(acme, {
      rules: [
        { type: 'amount', min: NOISY, max: 0.3 },
        { type: 'limit', maxAmount: NOISY, window: '1h' },
        { type: 'approval', above: NOISY },
      ],
    })
    expect(parent.rules).toMatchObject([{ min: 0.3, max: 0.3 }, { maxAmount: 0.3 }, { above: 0.3 }])
    const { id: agentId } = await anAgent(acme)
    const child = await acme.post('/mandates', {
      agentId,
      parentMandateId: parent.id,
      budgetTotal: 1,
      rules: [{ type: 'amount', max: NOISY, min: 0.3 }],
    })
    expect(child.status).toBe(200)
    expect((await evaluate(acme, parent.agentId, { amount: NOISY })).decision).toBe('approved')
  })

  test.each([
    [0.0000001, '/amount', 'is 0.0000001, but must have at most six decimals'],
    [0.1234567, '/amount', 'is 0.1234567, but must have at most six decimals'],
    [0, '/amount', 'is 0, but must be above 0'],
    [1e9, '/amount', 'is 1000000000, but must be at most 999999999.999999'],
    ['12.50', '/amount', 'is "12.50", but must be a number, such as 12.5'],
    [null, '/amount', 'is null, but must be a number, such as 12.5'],
    [[1], '/amount', 'must be a number, such as 12.5'],
  ])('of %j is refused with what was received', async (amount, path, message) => {
    const { status, body } = await acme.post('/gateway/evaluate', aSpend(NO_AGENT, { amount }))
    expect([status, body.detail]).toEqual([400, `In the body, ${path} ${message}.`])
    expect(body.errors).toMatchObject([{ path, message }])
  })

  test('that is a long text is told back in part', async () => {
    const amount = '9'.repeat(10_000)
    const { body } = await acme.post('/gateway/evaluate', aSpend(NO_AGENT, { amount }))
    expect(body.errors[0]?.message).toMatch(/^is "9{38}…, but must be a number/)
  })

  test.each([
    [{ type: 'amount', max: 0.0000001 }, 'is 0.0000001, but must have at most six decimals'],
    [{ type: 'amount', max: -3 }, 'is -3, but must be above 0'],
    [{ type: 'amount', max: 1e10 }, 'is 10000000000, but must be at most 999999999.999999'],
  ])('of the rule %j is refused with what was received', async (rule, message) => {
    const { id: agentId } = await anAgent(acme)
    const { status, body } = await acme.post('/mandates', {
      agentId,
      budgetTotal: 5,
      rules: [rule],
    })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: '/rules/0/max', message }])
  })

  test.each([
    ['0.0000001', 'is "0.0000001", but must be a number, such as 12.5, with at most six decimals'],
    ['0', 'is 0, but must be above 0'],
  ])('of %s in a query is refused with what was received', async (text, message) => {
    const { status, body } = await acme.get(`/transactions?minAmount=${text}`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: '/minAmount', message }])
  })
})
