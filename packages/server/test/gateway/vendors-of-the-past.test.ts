import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { aHold, change, evaluate, simulate } from '../support/spends.ts'

const NEW_VENDOR = { type: 'new_vendor' }
const DRIFT = { type: 'price_drift', maxIncreasePercent: 10 }

describe('a rule about vendors that is added later', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const setRules = async (id: string, ...rules: readonly object[]) =>
    bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
  const pay = (agentId: string, vendor: string, amount = 10) =>
    evaluate(acme, agentId, { vendor, amount })
  const codeOf = async (agentId: string, vendor: string, amount = 10) =>
    (await simulate(acme, agentId, { vendor, amount })).evaluationDetails.code

  test('knows the vendors that were paid before, and no others', async () => {
    const { id, agentId } = await anActiveMandate(acme)
    await pay(agentId, 'paid.com')
    const held = await aHold(acme, agentId, 5)
    await change(acme, held.transactionId, 'void')
    await setRules(id, NEW_VENDOR)
    expect(await codeOf(agentId, 'paid.com')).toBe('approved')
    expect(await codeOf(agentId, 'api.openai.com')).toBe('new_vendor')
  })

  test('knows the price that was settled last', async () => {
    const { id, agentId } = await anActiveMandate(acme)
    const hold = { vendor: 'a.com', amount: 20, hold: { expiresIn: '1h' } }
    const held = await evaluate(acme, agentId, hold)
    await pay(agentId, 'a.com', 2)
    await change(acme, held.transactionId, 'settle', 10)
    await setRules(id, DRIFT)
    expect(await codeOf(agentId, 'a.com', 11)).toBe('approved')
    expect(await codeOf(agentId, 'a.com', 11.01)).toBe('price_drift')
  })

  test('knows what was paid while the rule was away', async () => {
    const { id, agentId } = await anActiveMandate(acme, { rules: [DRIFT] })
    await pay(agentId, 'a.com', 10)
    await setRules(id)
    await pay(agentId, 'a.com', 5)
    await setRules(id, DRIFT)
    expect(await codeOf(agentId, 'a.com', 6)).toBe('price_drift')
  })

  test('of a mandate above knows the vendors of the agents below', async () => {
    const parent = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { parentMandateId: parent.id })
    await pay(child.agentId, 'paid.com')
    await setRules(parent.id, NEW_VENDOR)
    expect(await codeOf(child.agentId, 'paid.com')).toBe('approved')
    expect(await codeOf(parent.agentId, 'paid.com')).toBe('new_vendor')
  })

  test('of the next mandate knows what the agent paid under the last', async () => {
    const { id, agentId } = await anActiveMandate(acme)
    await pay(agentId, 'paid.com')
    bodyOf(await acme.post(`/mandates/${id}/revoke`))
    await anActiveMandate(acme, { agentId, rules: [NEW_VENDOR] })
    expect(await codeOf(agentId, 'paid.com')).toBe('approved')
  })

  test('of the next mandate knows a price that is settled under the last', async () => {
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const { transactionId } = await aHold(acme, agentId, 1)
    bodyOf(await acme.post(`/mandates/${id}/revoke`))
    await anActiveMandate(acme, { agentId, budgetTotal: 1_000, rules: [DRIFT] })
    await change(acme, transactionId, 'settle')
    expect(await codeOf(agentId, 'api.openai.com', 500)).toBe('price_drift')
    expect(await codeOf(agentId, 'api.openai.com', 1.1)).toBe('approved')
  })

  test('above the next mandate knows a price that is settled under the last', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 1_000, rules: [DRIFT] })
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const { transactionId } = await aHold(acme, agentId, 1)
    bodyOf(await acme.post(`/mandates/${id}/revoke`))
    await anActiveMandate(acme, { agentId, budgetTotal: 1_000, parentMandateId: parent.id })
    await change(acme, transactionId, 'settle')
    expect(await codeOf(agentId, 'api.openai.com', 500)).toBe('price_drift')
  })

  test('that comes to the next mandate while the last settles knows the price', async () => {
    const last = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const { agentId } = last
    const holds = await Promise.all([1, 2, 3, 4].map(() => aHold(acme, agentId, 1)))
    bodyOf(await acme.post(`/mandates/${last.id}/revoke`))
    const { id } = await anActiveMandate(acme, { agentId, budgetTotal: 1_000 })
    const settled = holds.map(({ transactionId }) => change(acme, transactionId, 'settle'))
    await Promise.all([setRules(id, DRIFT), ...settled])
    expect(await codeOf(agentId, 'api.openai.com', 500)).toBe('price_drift')
  })

  test('of a mandate above the next one knows it as well', async () => {
    const parent = await anActiveMandate(acme, { rules: [NEW_VENDOR] })
    const { id, agentId } = await anActiveMandate(acme)
    await pay(agentId, 'paid.com')
    bodyOf(await acme.post(`/mandates/${id}/revoke`))
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id })
    expect(await codeOf(agentId, 'paid.com')).toBe('approved')
  })
})
