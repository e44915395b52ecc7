import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf, NO_AGENT } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { STAYS_OPEN } from '../../support/row-lock.ts'
import { aHold, aSpend, type Evaluated, evaluate, simulate } from '../../support/spends.ts'
import { dumpTables } from '../../support/tables.ts'

describe('a simulation', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  /** What of an answer must be the same whether it is real or not. */
  function verdictOf({ transactionId, evaluationDetails, ...rest }: Evaluated): object {
    const { durationMs, evaluatedAt, receipt, ...details } = evaluationDetails
    expect([typeof durationMs, typeof evaluatedAt]).toEqual(['number', 'string'])
    return { ...rest, details }
  }

  test('answers as an evaluation would, whatever the verdict', async () => {
    const rules = [
      { type: 'amount', max: 60 },
      { type: 'limit', maxCount: 2, window: '1h' },
      { type: 'vendors', block: ['ads.example.com'] },
      { type: 'new_vendor', effect: 'flag' },
    ]
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 100, rules })
    const { id: idle } = await anAgent(acme)
    const spends: [string, object][] = [
      [agentId, { amount: 30 }],
      [agentId, { amount: 61 }],
      [agentId, { vendor: 'ads.example.com' }],
      [agentId, { amount: 50, hold: { expiresIn: '1h' } }],
      [agentId, { amount: 1 }],
      [agentId, { currency: 'EUR' }],
      [idle, {}],
    ]
    const decisions = new Set<string>()
    for (const [agent, fields] of spends) {
      const tried = await simulate(acme, agent, { ...fields })
      const real = await evaluate(acme, agent, { ...fields })
      expect(tried.transactionId).toBeNull()
      expect(tried.evaluationDetails.receipt).toBeNull()
      expect(verdictOf(tried)).toEqual(verdictOf(real))
      decisions.add(real.evaluationDetails.code)
    }
    expect(decisions.size).toBe(6)
  })

  test('writes nothing, for a known mandate and for one met for the first time', async () => {
    const rules = [
      { type: 'limit', maxAmount: 50, window: 'day', groupBy: 'vendor' },
      { type: 'new_vendor', effect: 'flag' },
    ]
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 10, rules })
    const fresh = await anActiveMandate(acme, { rules })
    await aHold(acme, agentId, 1)
    const before = await dumpTables(app.database.db)
    for (const amount of [9, 9.5, 8]) await simulate(acme, agentId, { amount })
    await simulate(acme, agentId, { hold: { expiresIn: '10s' }, rules: [] })
    await simulate(acme, fresh.agentId, { amount: 60 })
    const headers = { 'idempotency-key': 'a simulation' }
    await acme.post('/gateway/simulate', aSpend(agentId), headers)
    expect(await dumpTables(app.database.db)).toBe(before)
    expect(before).toContain(`webhook_events`)
  })

  test('judges draft rules instead of the own ones, and still by the budget', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 5 }] })
    expect((await simulate(acme, agentId, { amount: 50 })).decision).toBe('rejected')
    const free = await simulate(acme, agentId, { amount: 50, rules: [] })
    expect([free.decision, free.remainingBudget]).toEqual(['approved', 50])
    const draft = [{ type: 'vendors', allow: ['*.example.com'] }]
    const strict = await simulate(acme, agentId, { amount: 50, rules: draft })
    expect(strict.evaluationDetails.code).toBe('vendor_not_allowed')
    const over = await simulate(acme, agentId, { amount: 101, rules: [] })
    expect(over.evaluationDetails.code).toBe('budget_exceeded')
    // The draft was for one question: nothing of it is remembered.
    expect((await evaluate(acme, agentId, { amount: 50 })).decision).toBe('rejected')
    expect((await evaluate(acme, agentId, { amount: 5 })).decision).toBe('approved')
  })

  test('of draft rules counts what was spent under the own ones', async () => {
    const rules = [{ type: 'limit', maxAmount: 50, window: '1h' }]
    const { agentId } = await anActiveMandate(acme, { rules })
    await evaluate(acme, agentId, { amount: 40 })
    const draft = [{ type: 'limit', maxAmount: 45, window: '60m' }]
    const tried = await simulate(acme, agentId, { amount: 6, rules: draft })
    expect(tried.evaluationDetails).toMatchObject({
      code: 'limit_amount_exceeded',
      next: { maxAmountNow: 5 },
    })
  })

  // The embedded engine has one connection, which somebody else would have.
  describeOnPostgres('of several connections', () => {
    test('answers while the mandate is locked by somebody else', async () => {
      const parent = await anActiveMandate(acme, { budgetTotal: 100 })
      const { agentId, id } = await anActiveMandate(acme, { parentMandateId: parent.id })
      await evaluate(acme, agentId, { amount: 10 })
      await app.database.db
        .transaction(async (tx) => {
          await tx.query(STAYS_OPEN)
          const ids = [toUuid('mnd', parent.id), toUuid('mnd', id)]
          const text = 'select 1 from mandates where id = any($1) for update'
          await tx.query({ text, values: [ids] })
          let isEvaluated = false
          const waiting = evaluate(acme, agentId, { amount: 20 }).then((answer) => {
            isEvaluated = true
            return answer
          })
          expect(await simulate(acme, agentId, { amount: 90 })).toMatchObject({
            remainingBudget: 0,
          })
          expect(isEvaluated).toBe(false)
          return { waiting }
        })
        .then(({ waiting }) => waiting)
      expect((await simulate(acme, agentId, { amount: 71 })).decision).toBe('rejected')
    })
  })

  test('of draft rules says which of them do not know the past, and shows amounts without noise', async () => {
    const counted = { type: 'limit', maxAmount: 50, window: '1h' }
    const { agentId, id } = await anActiveMandate(acme, { rules: [counted] })
    await evaluate(acme, agentId, { amount: 30, vendor: 'a.com' })
    const added = { type: 'limit', maxAmount: 20, window: 'day' }
    const rules = [counted, added, { type: 'amount', max: 90 }, { type: 'new_vendor' }]
    const ask = async (fields: Readonly<Record<string, unknown>>) =>
      bodyOf(await acme.post('/gateway/simulate', aSpend(agentId, fields)))
    const tried = await ask({ amount: 0.1 + 0.2, rules })
    expect(tried.warnings).toMatchObject([
      { code: 'past_not_known', ruleIds: ['limit-2', 'new_vendor'] },
    ])
    expect(tried.amount).toBe(0.3)
    expect((await ask({ rules: [counted] })).warnings).toEqual([])
    expect(await ask({})).not.toHaveProperty('warnings')
    bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
    expect((await ask({ rules })).warnings).toEqual([])
  })

  test('names what is wrong with draft rules by their place', async () => {
    const { agentId } = await anActiveMandate(acme)
    const rules = [
      { type: 'amount', max: 5 },
      { type: 'limit', window: '1h' },
    ]
    const answer = await acme.post('/gateway/simulate', aSpend(agentId, { rules }))
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(answer.body.errors.map(({ path }) => path)).toEqual(['/rules/1'])
    const unknown = await acme.post(
      '/gateway/simulate',
      aSpend(agentId, { rules: [{ type: 'x' }] }),
    )
    expect(unknown.body.errors.map(({ path }) => path)).toEqual(['/rules/0/type'])
  })

  test('is refused like an evaluation: unknown agents, agents of others, keys without scope', async () => {
    const { agentId } = await anActiveMandate(acme)
    const stranger = await app.organization('Stranger')
    const bound = (await aKey(app, acme, { agentIds: [(await anAgent(acme)).id] })).client
    const weak = (await aKey(app, acme, { scopes: ['agents:read'] })).client
    const codeFor = async (client: Pick<Owner, 'post'>, agent: string) => {
      const { status, body } = await client.post('/gateway/simulate', aSpend(agent))
      return `${status} ${body.code}`
    }
    expect(await codeFor(acme, NO_AGENT)).toBe('404 agent_not_found')
    expect(await codeFor(stranger, agentId)).toBe('404 agent_not_found')
    expect(await codeFor(bound, agentId)).toBe('404 agent_not_found')
    expect(await codeFor(app.client(''), agentId)).toBe('401 unauthenticated')
    expect(await codeFor(weak, agentId)).toBe('403 insufficient_scope')
  })
})
