import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../../src/gateway/gateway.ts'
import { units } from '../../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { aSubmission, createPathGateway } from '../../support/path-gateway.ts'
import { budgetOf, evaluate, eventsOf } from '../../support/spends.ts'

let app: TestApp
let acme: Owner
let gateway: Gateway

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  gateway = createPathGateway(app)
})
afterAll(async () => {
  await gateway.stop()
  const broken = await audit(app.database.db)
  await app.stop()
  expect(broken).toEqual([])
})

const setBudget = (id: string, budgetTotal: number) =>
  acme.patch(`/mandates/${id}/budget`, { budgetTotal })

describe('a budget that was overdrawn', () => {
  async function anOverdrawn() {
    const mandate = await anActiveMandate(acme, { budgetTotal: 100 })
    const submission = aSubmission(acme, mandate.agentId, { amount: units(130) })
    await gateway.record(submission)
    return mandate
  }

  test('can be raised to any amount, also to one below what is spent', async () => {
    const { agentId, id } = await anOverdrawn()
    for (const [budgetTotal, left] of [
      [100.000001, 0],
      [120, 0],
      [130, 0],
      [140, 10],
    ] as const) {
      expect(bodyOf(await setBudget(id, budgetTotal))).toMatchObject({
        budgetTotal,
        budgetSpent: 130,
        remainingBudget: left,
        exhausted: left === 0,
      })
    }
    const tooMuch = await evaluate(acme, agentId, { amount: 10.000001 })
    expect(tooMuch.evaluationDetails.code).toBe('budget_exceeded')
    expect((await evaluate(acme, agentId, { amount: 10 })).decision).toBe('approved')
    expect(await budgetOf(acme, id)).toEqual([140, 0, 0])
  })

  test('stays overdrawn when it is raised by too little, and nothing can be spent', async () => {
    const { agentId, id } = await anOverdrawn()
    bodyOf(await setBudget(id, 120))
    const { decision, evaluationDetails } = await evaluate(acme, agentId, { amount: 0.000001 })
    expect([decision, evaluationDetails.code]).toEqual(['rejected', 'budget_exceeded'])
    // It was used up before, and still is.
    expect(await eventsOf(app, id)).toEqual(['mandate.budget.warning', 'mandate.budget.exhausted'])
  })

  test('cannot be lowered further, and can stay as it is', async () => {
    const { id } = await anOverdrawn()
    const { status, body } = await setBudget(id, 99.999999)
    expect([status, body.code]).toEqual([409, 'budget_below_spent'])
    expect(body.detail).toContain('you can only raise it')
    expect(bodyOf(await setBudget(id, 100)).version).toBe(1)
  })
})
