import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anApprover, approvalIdIn, aSpender, decideOn } from '../../support/approvals.ts'
import { backtest } from '../../support/backtests.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { evaluate } from '../../support/spends.ts'

describe('a backtest', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test('knows a vendor up to what a person has approved, where nothing is paid there any more', async () => {
    const rules = [{ type: 'new_vendor', effect: 'require_approval', id: 'new' }]
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 500, rules })
    const agent = await aSpender(app, acme, agentId)
    const approvalId = approvalIdIn(await evaluate(agent, agentId, { amount: 50 }))
    bodyOf(await decideOn(await anApprover(app, acme), approvalId))
    expect((await evaluate(agent, agentId, { amount: 60 })).decision).toBe('rejected')
    await evaluate(agent, agentId, { amount: 50, approvalId })
    expect((await evaluate(agent, agentId, { amount: 70 })).decision).toBe('approved')
    const same = await backtest(acme, id, { rules })
    expect([same.newlyApproved, same.newlyRejected, same.otherCode]).toEqual([0, 0, 0])
    const not50 = { type: 'expression', expr: "amount != money('50')" }
    const { examples } = await backtest(acme, id, { rules: [...rules, not50] })
    expect(examples.map(({ amount, after }) => [amount, after.code])).toEqual([
      [70, 'approval_required'],
      [50, expect.any(String)],
    ])
  })
})
