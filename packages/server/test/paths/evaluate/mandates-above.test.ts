import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { aSpend, type Evaluated, evaluate } from '../../support/spends.ts'

/* What a key that is bound to an agent sees of the mandates above the agent's own. */

let app: TestApp
let acme: Owner
let agentId: string
let parentId: string
let bound: Client

const SECRET_RULE = { type: 'expression', id: 'not-above-77', expr: "amount <= money('77')" }

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  const parent = await anActiveMandate(acme, {
    budgetTotal: 111,
    rules: [
      SECRET_RULE,
      { type: 'amount', id: 'suspicious', max: 33, effect: 'flag' },
      { type: 'limit', id: 'hourly', maxAmount: 99, window: '1h' },
    ],
  })
  parentId = parent.id
  const child = await anActiveMandate(acme, {
    budgetTotal: 100,
    parentMandateId: parent.id,
    rules: [{ type: 'amount', id: 'own-min', min: 2 }],
  })
  agentId = child.agentId
  const scopes = ['gateway:write', 'transactions:write']
  bound = (await aKey(app, acme, { agentIds: [agentId], scopes })).client
})
afterAll(() => app.stop())

/** A mandate below one that has less left than it. */
async function aPoorerParent() {
  const parent = await anActiveMandate(acme, { budgetTotal: 80 })
  const { agentId: own } = await anActiveMandate(acme, {
    budgetTotal: 80,
    parentMandateId: parent.id,
  })
  await ask(acme, '/gateway/evaluate', parent.agentId, 30)
  return { own, client: (await aKey(app, acme, { agentIds: [own] })).client }
}

async function ask(client: Client, url: string, agent: string, amount: number) {
  const answer = await client.post(url, aSpend(agent, { amount }))
  const body: Evaluated = JSON.parse(answer.text)
  return { ...answer, body }
}

/** Nothing of the parent: neither its rules nor its figures nor its id. */
function expectNothingOfTheParent(text: string): void {
  expect(text).not.toMatch(/not-above-77|suspicious|hourly|money\('77'\)/)
  expect(text).not.toMatch(/(?<![\d.])(?:111|99|77|33)(?![\d])/)
  expect(text).not.toContain(parentId)
}

/** Without times and ids, in which any digits can be. */
const withoutIds = (text: string) =>
  text
    .replace(
      /"(transactionId|mandateId|agentId|evaluatedAt|createdAt|settledAt|policyHash|log|leaf|salt)":"[^"]*"/g,
      '',
    )
    .replace(/"durationMs":[\d.]+/g, '')

const refusal = {
  outcome: 'fail',
  observed: null,
  limit: null,
  window: null,
  message: "A mandate above the agent's own does not allow this.",
}

describe('of a mandate above, a bound key sees', () => {
  test.each(['/gateway/evaluate', '/gateway/simulate'])(
    'only that it said no, in answers of %s',
    async (url) => {
      const { body, text } = await ask(bound, url, agentId, 90)
      expectNothingOfTheParent(withoutIds(text))
      const { evaluationDetails: details } = body
      expect(body).toMatchObject({ decision: 'rejected', remainingBudget: 100 })
      expect(details).toMatchObject({
        code: 'expression_false',
        message: refusal.message,
        firstFailure: 'above/expression',
        failed: ['above/expression'],
        next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
      })
      expect(details.rules).toEqual([
        expect.objectContaining({ id: 'own-min', outcome: 'pass' }),
        { id: 'above/expression', type: 'expression', code: 'expression_false', ...refusal },
        expect.objectContaining({ id: 'budget', outcome: 'pass', limit: 100 }),
      ])
    },
  )

  test('nothing of an approval that it flags or lets pass', async () => {
    const { body, text } = await ask(bound, '/gateway/simulate', agentId, 50)
    expectNothingOfTheParent(withoutIds(text))
    expect(body).toMatchObject({ decision: 'approved', remainingBudget: 50 })
    expect(body.evaluationDetails.message).toBe('The spend is approved.')
    expect(body.evaluationDetails.rules.map(({ id }) => id)).toEqual(['own-min', 'budget'])
  })

  test('no amount that it bounds, where its own mandate asks for more', async () => {
    const rules = [{ type: 'limit', maxAmount: 66, window: '1h' }]
    const parent = await anActiveMandate(acme, { rules })
    const { agentId: own } = await anActiveMandate(acme, {
      parentMandateId: parent.id,
      rules: [{ type: 'amount', id: 'own-min', min: 2 }],
    })
    const { client } = await aKey(app, acme, { agentIds: [own] })
    const { body } = await ask(client, '/gateway/simulate', own, 1)
    expect(body.evaluationDetails).toMatchObject({
      firstFailure: 'own-min',
      next: { maxAmountNow: null },
    })
    const whole = await ask(acme, '/gateway/simulate', own, 1)
    expect(whole.body.evaluationDetails.next.maxAmountNow).toBe(66)
  })

  test('no amount that a person could allow, where it may be bounded above', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 66 })
    const rules = [
      { type: 'approval', above: 5 },
      { type: 'amount', max: 20 },
    ]
    const child = { parentMandateId: parent.id, budgetTotal: 66, rules }
    const { agentId: own } = await anActiveMandate(acme, child)
    const { client } = await aKey(app, acme, { agentIds: [own] })
    const nextOf = async (by: Client, amount: number) =>
      (await ask(by, '/gateway/simulate', own, amount)).body.evaluationDetails.next
    // Of 30, no rule above stands in the way, so what is less is bounded by its own mandate.
    expect(await nextOf(client, 30)).toMatchObject({ maxAmountNow: 5, maxAmountWithApproval: 20 })
    expect(await nextOf(client, 10)).toMatchObject({ maxAmountNow: 5, maxAmountWithApproval: null })
    expect(await nextOf(acme, 10)).toMatchObject({ maxAmountNow: 5, maxAmountWithApproval: 20 })
  })

  test('the advice of its own mandate, where that stands in the way alone', async () => {
    const child = await anActiveMandate(acme, {
      budgetTotal: 20,
      parentMandateId: parentId,
    })
    const { client } = await aKey(app, acme, { agentIds: [child.agentId] })
    const { body } = await ask(client, '/gateway/simulate', child.agentId, 30)
    expect(body.evaluationDetails.next.maxAmountNow).toBe(20)
  })

  test('no more in the record, its list and its export, or when a hold is settled', async () => {
    const hold = { expiresIn: '1h' }
    const held = await bound.post('/gateway/evaluate', aSpend(agentId, { amount: 5, hold }))
    const { transactionId } = bodyOf(held)
    const answers = [
      held,
      await bound.get(`/transactions/${transactionId}`),
      await bound.get('/transactions'),
      await bound.get('/transactions/export?format=csv'),
      await bound.post(`/transactions/${transactionId}/settle`),
    ]
    const lines = await app.app.inject({
      url: '/api/v1/transactions/export?format=ndjson',
      headers: { authorization: `Bearer ${bound.apiKey}` },
    })
    expect(lines.body).toContain('"above/')
    for (const { status, text } of [...answers, { status: 200, text: lines.body }]) {
      expect(status).toBe(200)
      expectNothingOfTheParent(
        withoutIds(text).replace(/[0-9a-f-]{32,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''),
      )
    }
  })

  test.each(['/gateway/evaluate', '/gateway/simulate'])(
    'not what is left of it, where no rule was asked, in answers of %s',
    async (url) => {
      const { own, client } = await aPoorerParent()
      const asked = await client.post(url, aSpend(own, { amount: 5, currency: 'EUR' }))
      expect(bodyOf(asked)).toMatchObject({ decision: 'rejected', remainingBudget: 80 })
      const listed = bodyOf(await client.get('/transactions')).data
      expect(listed.map(({ remainingBudget }) => remainingBudget)).toEqual(listed.map(() => 80))
      const whole = await ask(acme, '/gateway/simulate', own, 500)
      expect(whole.body.remainingBudget).toBe(50)
    },
  )

  test('not that it has flagged a spend, by asking for what is flagged', async () => {
    const parent = await anActiveMandate(acme, {
      rules: [{ type: 'amount', id: 'suspicious', max: 33, effect: 'flag' }],
    })
    const { agentId: own } = await anActiveMandate(acme, {
      parentMandateId: parent.id,
      rules: [{ type: 'categories', id: 'own-mark', block: ['games'], effect: 'flag' }],
    })
    const { client } = await aKey(app, acme, { agentIds: [own] })
    const spend = async (amount: number, category: string) =>
      (await evaluate(client, own, { amount, category })).transactionId
    const plain = await spend(1, 'llm')
    const above = await spend(35, 'llm')
    const both = await spend(36, 'games')
    const found = async (asking: Client, query: string) => {
      const list = bodyOf(await asking.get(`/transactions?agentId=${own}&${query}`))
      return list.data.map(({ transactionId }) => transactionId)
    }
    expect(await found(client, 'flagged=true')).toEqual([both])
    expect(await found(client, 'flagged=false')).toEqual([above, plain])
    expect(await found(acme, 'flagged=true')).toEqual([both, above])
    expect(await found(acme, 'flagged=false')).toEqual([plain])
  })

  test('the same again when it repeats a request, though another key asked first', async () => {
    const headers = { 'idempotency-key': 'asked-by-the-owner' }
    const spend = aSpend(agentId, { amount: 90 })
    const whole = await acme.post('/gateway/evaluate', spend, headers)
    expect(whole.text).toContain('not-above-77')
    const first = await bound.post('/gateway/evaluate', spend, headers)
    const again = await bound.post('/gateway/evaluate', spend, headers)
    expect([first.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text])
    expectNothingOfTheParent(withoutIds(first.text))
  })
})

test('a key that is not bound sees everything, also of what a bound one asked for', async () => {
  const { body } = await ask(bound, '/gateway/evaluate', agentId, 90)
  const { text } = await acme.get(`/transactions/${body.transactionId}`)
  expect(text).toContain(`${parentId}/not-above-77`)
})
