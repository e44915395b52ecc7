import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import {
  aHold,
  change,
  evaluate,
  readTransaction,
  simulate,
  type TransactionBody,
} from '../../support/spends.ts'

const FLAGGING = {
  rules: [
    { type: 'amount', id: 'large', max: 20, effect: 'flag' },
    { type: 'categories', id: 'odd', block: ['games'], effect: 'flag' },
    { type: 'amount', id: 'huge', max: 50 },
  ],
}

describe('the flags of a decision', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test('are the rules that flagged it, in the answer and in the record', async () => {
    const { agentId } = await anActiveMandate(acme, FLAGGING)
    const both = await evaluate(acme, agentId, { amount: 30, category: 'games' })
    expect(both).toMatchObject({ decision: 'approved', flags: ['odd', 'large'] })
    expect((await readTransaction(acme, both.transactionId)).flags).toEqual(['odd', 'large'])
    const none = await evaluate(acme, agentId, { amount: 5 })
    expect(none).toMatchObject({ decision: 'approved', flags: [] })
    expect((await readTransaction(acme, none.transactionId)).flags).toEqual([])
  })

  test('are there for a rejection too, and leave out what stood in the way', async () => {
    const { agentId } = await anActiveMandate(acme, FLAGGING)
    const rejected = await evaluate(acme, agentId, { amount: 60 })
    expect(rejected).toMatchObject({ decision: 'rejected', flags: ['large'] })
  })

  test('are foretold by a simulation', async () => {
    const { agentId } = await anActiveMandate(acme, FLAGGING)
    expect(await simulate(acme, agentId, { amount: 30 })).toMatchObject({ flags: ['large'] })
    expect(await simulate(acme, agentId, { amount: 3 })).toMatchObject({ flags: [] })
  })

  test('name the rule of a parent as its finding does', async () => {
    const parent = await anActiveMandate(acme, FLAGGING)
    const child = await anActiveMandate(acme, { parentMandateId: parent.id, budgetTotal: 90 })
    const { flags, evaluationDetails } = await evaluate(acme, child.agentId, { amount: 30 })
    expect(flags).toEqual([`${parent.id}/large`])
    expect(evaluationDetails.rules.map(({ id }) => id)).toContain(`${parent.id}/large`)
  })

  test('are the same for a repeat, whatever became of the spend meanwhile', async () => {
    const { agentId } = await anActiveMandate(acme, FLAGGING)
    const key = { 'idempotency-key': 'flagged once' }
    const fields = { amount: 30, hold: { expiresIn: '1h' } }
    const first = await evaluate(acme, agentId, fields, key)
    await change(acme, first.transactionId, 'void')
    expect(await evaluate(acme, agentId, fields, key)).toEqual(first)
    expect(first).toMatchObject({ flags: ['large'] })
  })

  test('are told with the approval, beside what it is and until when it is held', async () => {
    const { agentId } = await anActiveMandate(acme, FLAGGING)
    const fields = { amount: 30, reference: 'order 7', hold: { expiresIn: '1h' } }
    const held = await evaluate(acme, agentId, fields)
    const { expiresAt } = await readTransaction(acme, held.transactionId)
    await change(acme, held.transactionId, 'settle')
    expect(await toldOf(held.transactionId)).toMatchObject({
      status: 'held',
      currency: 'USD',
      path: 'evaluate',
      reference: 'order 7',
      expiresAt,
      flags: ['large'],
    })
    const paid = await evaluate(acme, agentId, { amount: 1 })
    const plain = { status: 'settled', reference: null, expiresAt: null, flags: [] }
    expect(await toldOf(paid.transactionId)).toMatchObject(plain)
    const refused = await evaluate(acme, agentId, { amount: 60 })
    const no = { status: 'rejected', currency: 'USD', expiresAt: null, flags: ['large'] }
    expect(await toldOf(refused.transactionId)).toMatchObject(no)
  })

  async function toldOf(transactionId: string): Promise<object | undefined> {
    const answer = await acme.get('/events?limit=200')
    const { data }: { data: { data: { transactionId?: string } }[] } = JSON.parse(answer.text)
    return data.find((event) => event.data.transactionId === transactionId)?.data
  }
})

describe('transactions', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  async function found(query: string): Promise<string[]> {
    return bodyOf(await acme.get(`/transactions?${query}`)).data.map((row) => row.transactionId)
  }

  test('are found by reference, by code and by whether something is unusual about them', async () => {
    const { agentId } = await anActiveMandate(acme, FLAGGING)
    const plain = await evaluate(acme, agentId, { amount: 1, reference: 'order 1' })
    const large = await evaluate(acme, agentId, { amount: 30, reference: 'order 2' })
    const huge = await evaluate(acme, agentId, { amount: 60, reference: 'order 2' })
    expect(await found('reference=order%202')).toEqual([huge.transactionId, large.transactionId])
    expect(await found('reference=order%202&code=approved')).toEqual([large.transactionId])
    expect(await found('code=amount_above_max')).toEqual([huge.transactionId])
    expect(await found('flagged=true')).toEqual([huge.transactionId, large.transactionId])
    expect(await found('flagged=false')).toEqual([plain.transactionId])
    expect(await found('reference=order')).toEqual([])
  })

  test('are listed without their details where a summary is asked for', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 3)
    const list = async (query: string): Promise<TransactionBody> =>
      JSON.parse((await acme.get(`/transactions?agentId=${agentId}${query}`)).text).data[0]
    const { evaluationDetails, ...rest } = await list('')
    const brief = await list('&view=summary')
    expect(evaluationDetails).toMatchObject({ code: 'approved' })
    expect(brief).toEqual(rest)
    expect(brief).toMatchObject({ transactionId })
    expect((await acme.get('/transactions?view=brief')).status).toBe(400)
  })
})
