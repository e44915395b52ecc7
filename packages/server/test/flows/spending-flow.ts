import { expect, test } from 'vitest'
import { audit } from '../support/audit.ts'
import { anActiveMandate, bodyOf, DAY_MS, HOUR_MS, setPlan } from '../support/builders.ts'
import {
  aHold,
  aSpend,
  budgetOf,
  change,
  evaluate,
  readTransaction,
  simulate,
} from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

const RULES = [
  { type: 'limit', maxAmount: 50, window: 'day', groupBy: 'vendor' },
  { type: 'new_vendor', effect: 'flag' },
]

/** A spend from the question to the record, and what may become of it. */
export const spendingFlow: Flow = (stage) => {
  test('spends are judged by budget, limits and history, tried out first', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100, rules: RULES })
    expect((await simulate(acme, agentId, { amount: 30 })).decision).toBe('approved')
    expect((await evaluate(acme, agentId, { amount: 30 })).decision).toBe('approved')
    const second = await evaluate(acme, agentId, { amount: 30 })
    expect(second.evaluationDetails.code).toBe('limit_amount_exceeded')
    const { transactionId } = second
    const again = bodyOf(await acme.post('/gateway/simulate', { transactionId }))
    expect(again.evaluationDetails.code).toBe('limit_amount_exceeded')
    expect(await budgetOf(acme, id)).toEqual([30, 0, 70])
    const { data } = bodyOf(await acme.get(`/transactions?agentId=${agentId}`))
    expect(data.map(({ decision }) => decision)).toEqual(['rejected', 'approved'])
    expect(bodyOf(await acme.get('/transactions?q=OPENAI')).total).toBe(2)
    expect(bodyOf(await acme.get(`/transactions?mandateId=${id}`)).total).toBe(2)
    expect(bodyOf(await acme.get('/transactions?status=held')).total).toBe(0)
    const exported = await acme.get('/transactions/export')
    expect(exported.text.trim().split('\n')).toHaveLength(3)
    const rest = await acme.get(`/transactions/export?cursor=${transactionId}`)
    expect(rest.text.trim().split('\n')).toHaveLength(2)
    const oneWord = await acme.post('/gateway/evaluate', aSpend(agentId, { vendor: 'openai' }))
    expect(oneWord.body.errors).toMatchObject([{ path: '/vendor' }])
    expect(await audit(app.database.db)).toEqual([])
  })

  test('a spend is made once per Idempotency-Key, which is free again after its time', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    const spend = () => evaluate(acme, agentId, { amount: 5 }, { 'idempotency-key': 'once' })
    expect((await spend()).transactionId).toBe((await spend()).transactionId)
    expect(await budgetOf(acme, id)).toEqual([5, 0, 95])
    app.clock.now = Date.now() + 8 * DAY_MS
    await spend()
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
    app.clock.now = undefined
  })

  test('spends that arrive together are decided together, each once per Idempotency-Key', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const first = await anActiveMandate(acme, { budgetTotal: 50, rules: RULES })
    const second = await anActiveMandate(acme, { budgetTotal: 50 })
    const spendAll = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) => {
          const { agentId } = n % 2 === 0 ? first : second
          return evaluate(acme, agentId, { amount: 10 }, { 'idempotency-key': `spend ${n}` })
        }),
      )
    const decided = await spendAll()
    expect(decided.filter(({ decision }) => decision === 'approved')).toHaveLength(10)
    const idsOf = (all: typeof decided) => all.map(({ transactionId }) => transactionId)
    expect(idsOf(await spendAll())).toEqual(idsOf(decided))
    expect(await budgetOf(acme, first.id)).toEqual([50, 0, 0])
    expect(await budgetOf(acme, second.id)).toEqual([50, 0, 0])
    expect(await audit(app.database.db)).toEqual([])
  })

  test('spends are stopped by a freeze and by a pause, and each stop is counted', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const codeOf = async () => (await evaluate(acme, agentId)).evaluationDetails.code
    bodyOf(await acme.patch('/organization', { frozen: true }))
    expect(await codeOf()).toBe('organization_frozen')
    bodyOf(await acme.patch('/organization', { frozen: false }))
    bodyOf(await acme.patch(`/agents/${agentId}`, { status: 'paused' }))
    expect(await codeOf()).toBe('agent_paused')
    bodyOf(await acme.patch(`/agents/${agentId}`, { status: 'active' }))
    expect(await codeOf()).toBe('approved')
    const text = 'select stops from event_feeds where organization_id = $1'
    expect(await app.rows(text, [acme.organizationId])).toEqual([{ stops: 2n }])
  })

  test('a hold is settled, refunded, voided, or expires', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    const [settled, voided, forgotten] = [
      await aHold(acme, agentId, 20),
      await aHold(acme, agentId, 30),
      await aHold(acme, agentId, 40),
    ]
    await change(acme, settled.transactionId, 'settle', 15)
    await change(acme, settled.transactionId, 'refund', 5)
    await change(acme, voided.transactionId, 'void')
    expect(await budgetOf(acme, id)).toEqual([50, 40, 50])
    // Nothing of what is held is overdue, so it is looked for and not found.
    expect((await evaluate(acme, agentId, { amount: 60 })).decision).toBe('rejected')
    app.clock.now = Date.now() + HOUR_MS
    await waitUntil(async () => {
      const { status } = await readTransaction(acme, forgotten.transactionId)
      const [row] = await app.rows<{ held: bigint }>(
        'select budget_held as held from mandates where id = $1',
        [id.replace('mnd_', '')],
      )
      return status === 'expired' && row?.held === 0n
    })
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
    expect(await audit(app.database.db)).toEqual([])
    app.clock.now = undefined
  })

  test('a plan counts what is decided', async () => {
    const { app } = stage()
    const acme = await app.organization()
    await setPlan(app, acme, 'free')
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const { evaluations } = bodyOf(await acme.get('/organization/usage'))
    expect(evaluations).toMatchObject({ used: 1 })
  })
}
