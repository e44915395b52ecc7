import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aDraft, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { aSpend } from '../../support/spends.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('warningPercents', () => {
  test('is 80 unless the mandate says it, whatever its parent says', async () => {
    const parent = await anActiveMandate(acme, { warningPercents: [90, 50] })
    const { id: agentId } = await anAgent(acme)
    const child = await aDraft(acme, { agentId, parentMandateId: parent.id })
    expect(parent).toMatchObject({ warningPercents: [50, 90] })
    expect(child).toMatchObject({ warningPercents: [80] })
  })

  test('makes a new version of an active mandate, and the version has it', async () => {
    const { id } = await anActiveMandate(acme)
    const changed = bodyOf(await acme.patch(`/mandates/${id}`, { warningPercents: [95, 60] }))
    expect(changed).toMatchObject({ version: 2, warningPercents: [60, 95] })
    const { data } = bodyOf(await acme.get(`/mandates/${id}/versions`))
    expect(data[0]).toMatchObject({
      warningPercents: [60, 95],
      changes: [{ field: 'warningPercents', before: [80], after: [60, 95] }],
    })
  })

  test('is kept by a draft of the next version, unless the draft names it', async () => {
    const { id } = await anActiveMandate(acme, { warningPercents: [40] })
    const kept = bodyOf(await acme.post('/mandates', { draftOf: id, name: 'Next' }))
    expect(kept).toMatchObject({ warningPercents: [40] })
    const named = bodyOf(await acme.post('/mandates', { draftOf: id, warningPercents: [] }))
    expect(named).toMatchObject({ warningPercents: [] })
    const next = bodyOf(await acme.post(`/mandates/${named.id}/activate`))
    expect(next).toMatchObject({ id, version: 2, warningPercents: [] })
  })

  test.each([[[0]], [[100]], [[1.5]], [[80, 80]], [Array.from({ length: 11 }, (_, n) => n + 1)]])(
    'refuses %j',
    async (warningPercents) => {
      const { id } = await aDraft(acme)
      const answer = await acme.patch(`/mandates/${id}`, { warningPercents })
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0]?.path).toMatch(/^\/warningPercents/)
    },
  )

  test('decides when the webhook is warned, by a spend and by a smaller budget', async () => {
    await acme.patch('/organization', { webhookUrl: 'https://receiver.example.com/hooks' })
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 100, warningPercents: [50] })
    await acme.post('/gateway/evaluate', aSpend(agentId, { amount: 49 }))
    expect(await warningsOf(id)).toEqual([])
    await acme.post('/gateway/evaluate', aSpend(agentId, { amount: 1 }))
    expect(await warningsOf(id)).toEqual(['mandate.budget.warning'])
    await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 200 })
    await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 100 })
    expect(await warningsOf(id)).toEqual(['mandate.budget.warning', 'mandate.budget.warning'])
  })
})

async function warningsOf(mandateId: string): Promise<string[]> {
  const rows = await app.rows<{ kind: string }>(
    `select kind from webhook_events where mandate_id = $1 and kind like 'mandate.budget.%' order by number`,
    [mandateId.replace(/^mnd_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')],
  )
  return rows.map(({ kind }) => kind)
}
