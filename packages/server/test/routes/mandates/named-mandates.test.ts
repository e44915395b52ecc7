import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
} from '../../support/builders.ts'
import { evaluate, readTransaction, simulate } from '../../support/spends.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('a spend of an agent without an active mandate', () => {
  test('is told the newest draft, which only has to be activated', async () => {
    const { id: agentId } = await anAgent(acme)
    await aDraft(acme, { agentId })
    const { id } = await aDraft(acme, { agentId })
    const named = {
      code: 'no_active_mandate',
      message: `The agent has no active mandate. Its draft ${id} has not been activated.`,
      draftMandateId: id,
    }
    const { evaluationDetails, transactionId } = await evaluate(acme, agentId)
    expect(evaluationDetails).toMatchObject(named)
    expect((await simulate(acme, agentId)).evaluationDetails).toMatchObject(named)
    const stored = await readTransaction(acme, transactionId)
    expect(stored.evaluationDetails).toMatchObject(named)
    bodyOf(await acme.post(`/mandates/${id}/activate`))
    const approved = await evaluate(acme, agentId)
    expect(approved.decision).toBe('approved')
    expect(approved.evaluationDetails).not.toHaveProperty('draftMandateId')
  })

  test('is told of no draft that is another agent’s, or of one that has none', async () => {
    await aDraft(acme)
    const idle = [(await anAgent(acme)).id, (await aRevokedMandate(acme)).agentId]
    for (const agentId of idle) {
      const { evaluationDetails } = await evaluate(acme, agentId)
      expect(evaluationDetails.message).toBe('The agent has no active mandate.')
      expect(evaluationDetails).not.toHaveProperty('draftMandateId')
    }
  })
})

describe('an activation beside an active mandate', () => {
  test('is refused with the id of that one', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const second = await aDraft(acme, { agentId })
    const { status, body } = await acme.post(`/mandates/${second.id}/activate`)
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'mandate_conflict',
      activeMandateId: id,
      detail: `The agent already has the active mandate ${id}. Revoke it before you activate this one, or send "replace": true to do both in one step.`,
    })
  })
})
