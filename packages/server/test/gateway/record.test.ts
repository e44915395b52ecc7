import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/errors.ts'
import { toPublicId } from '../../src/core/id.ts'
import { usageMonth } from '../../src/core/plan.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import {
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  HOUR_MS,
  NO_AGENT,
  setPlan,
} from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { budgetOf, eventsOf, readTransaction, simulate } from '../support/spends.ts'

describe('money that moved without being asked about', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway((scene) => {
    ;({ app, acme, gateway } = scene)
  })

  const record = (agentId: string, amount: number, more = {}, owner = acme) =>
    gateway.record(aSubmission(owner, agentId, { amount: units(amount), ...more }))
  const read = ({ id }: { readonly id: string }) => readTransaction(acme, toPublicId('txn', id))

  test('is approved as recorded, marked, and drawn from the budget and the limits', async () => {
    const rules = [{ type: 'limit', maxAmount: 100, window: 'day' }]
    const { agentId, id } = await anActiveMandate(acme, { rules })
    const recorded = await record(agentId, 30)
    expect(await read(recorded)).toMatchObject({
      decision: 'approved',
      status: 'settled',
      code: 'recorded',
      settledAmount: 30,
      remainingBudget: 70,
      flags: ['ungoverned'],
    })
    expect(await budgetOf(acme, id)).toEqual([30, 0, 70])
    const { next } = (await simulate(acme, agentId, { amount: 1_000 })).evaluationDetails
    expect(next.maxAmountNow).toBe(70)
  })

  test('says what the rules find, and is booked all the same', async () => {
    const rules = [{ id: 'small', type: 'amount', max: 5 }]
    const { agentId } = await anActiveMandate(acme, { rules })
    const { evaluationDetails } = await read(await record(agentId, 30))
    expect(evaluationDetails).toMatchObject({
      code: 'recorded',
      firstFailure: null,
      rules: [
        { id: 'small', outcome: 'fail', code: 'amount_above_max' },
        { id: 'budget', outcome: 'pass' },
      ],
    })
  })

  test('is booked beyond every budget of the line, and tells of it once', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 60 })
    const child = { budgetTotal: 50, parentMandateId: parent.id }
    const { agentId, id } = await anActiveMandate(acme, child)
    await record(agentId, 70)
    expect(await budgetOf(acme, id)).toEqual([70, 0, 0])
    expect(await budgetOf(acme, parent.id)).toEqual([70, 0, 0])
    const crossed = ['mandate.budget.warning', 'mandate.budget.exhausted']
    expect([await eventsOf(app, id), await eventsOf(app, parent.id)]).toEqual([crossed, crossed])
  })

  test('raises transaction.approved', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { id } = await record(agentId, 30)
    const rows = await app.rows('select kind from webhook_events where transaction_id = $1', [id])
    expect(rows).toEqual([{ kind: 'transaction.approved' }])
  })

  test('can be held, as when a provider has approved on its own', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const held = await record(agentId, 30, { holdMs: HOUR_MS })
    expect(await read(held)).toMatchObject({ status: 'held', heldAmount: 30 })
    expect(await budgetOf(acme, id)).toEqual([30, 30, 70])
  })

  test('is recorded once for an Idempotency-Key', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const idempotency = anIdempotencyKey(agentId, 'event-1')
    const twice = [1, 2].map(() => aSubmission(acme, agentId, {}, { idempotency }))
    const answers = await Promise.all(twice.map((submission) => gateway.record(submission)))
    answers.push(await gateway.record(aSubmission(acme, agentId, {}, { idempotency })))
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1)
    expect(answers.map((answer) => answer.isReplay)).toEqual([false, true, true])
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
  })

  test('costs no evaluation of the plan, also when none is left', async () => {
    const owner = await app.organization('Free')
    await setPlan(app, owner, 'free')
    const { agentId } = await anActiveMandate(owner)
    const { month } = usageMonth(Date.now())
    const used = async () => bodyOf(await owner.get('/organization/usage')).evaluations.used
    const text =
      'insert into plan_usage (organization_id, month, evaluations) values ($1, $2, 1000)'
    await app.rows(text, [owner.organizationId, month])
    const refusal = await gateway.decide(aSubmission(owner, agentId)).catch((error) => error)
    expect(refusal instanceof Problem && refusal.code).toBe('plan_limit_exceeded')
    expect((await record(agentId, 30, {}, owner)).decision).toBe('approved')
    expect(await used()).toBe(1_000)
    await app.rows('delete from plan_usage where organization_id = $1', [owner.organizationId])
  })

  test('is booked whatever state organization, agent and mandate are in', async () => {
    const owner = await app.organization('Frozen')
    const { agentId, id } = await anActiveMandate(owner)
    bodyOf(await owner.patch('/organization', { frozen: true }))
    bodyOf(await owner.patch(`/agents/${agentId}`, { status: 'paused' }))
    expect((await record(agentId, 30, {}, owner)).decision).toBe('approved')
    bodyOf(await owner.post(`/mandates/${id}/revoke`))
    expect((await record(agentId, 20, {}, owner)).mandateId).not.toBeNull()
    expect(await budgetOf(owner, id)).toEqual([50, 0, 50])
  })

  test('is booked on the mandate that the agent had last, and on those above it', async () => {
    const parent = await anActiveMandate(acme)
    const { agentId, id: first } = await aRevokedMandate(acme)
    const last = await aRevokedMandate(acme, { agentId, parentMandateId: parent.id })
    await record(agentId, 30)
    expect(await budgetOf(acme, first)).toEqual([0, 0, 100])
    expect(await budgetOf(acme, last.id)).toEqual([30, 0, 70])
    expect(await budgetOf(acme, parent.id)).toEqual([30, 0, 70])
  })

  test('is kept of an agent that never had a mandate', async () => {
    const { id: agentId } = await anAgent(acme)
    const recorded = await record(agentId, 30, { currency: 'USD' })
    expect(await read(recorded)).toMatchObject({ mandateId: null, settledAmount: 30 })
  })

  test('is in no budget when it is in another currency', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const recorded = await record(agentId, 30, { currency: 'JPY' })
    expect(await read(recorded)).toMatchObject({ mandateId: null, currency: 'JPY' })
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('is booked on the last mandate of an agent that was deleted', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    bodyOf(await acme.delete(`/agents/${agentId}`))
    await record(agentId, 30)
    expect(await budgetOf(acme, id)).toEqual([30, 0, 70])
  })

  test('is refused for an agent that does not exist', async () => {
    const refusal = await record(NO_AGENT, 30).catch((error: unknown) => error)
    expect(refusal instanceof Problem && refusal.code).toBe('agent_not_found')
  })
})
