import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestAppOn, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { createTestDatabase } from '../../support/database.ts'
import { evaluate, simulate } from '../../support/spends.ts'
import { watchDatabase } from '../../support/watched-database.ts'

let app: TestApp
let acme: Owner
const sent: string[] = []

beforeAll(async () => {
  const database = await createTestDatabase()
  app = await createTestAppOn(
    database,
    watchDatabase(database.db, (text) => void sent.push(text)),
  )
  acme = await app.organization()
})
afterAll(() => app.stop())

/** How many times counters were read meanwhile. */
async function readsOf(run: () => Promise<unknown>): Promise<number> {
  sent.length = 0
  await run()
  return sent.filter((text) => text.includes('from limit_counters')).length
}

describe('the largest amount under a rule against duplicates', () => {
  const rules = [
    { type: 'duplicate', window: '1h' },
    { type: 'amount', max: 50 },
  ]

  test('is named by a rejection and by a simulation, and is the largest that passes', async () => {
    const { agentId } = await anActiveMandate(acme, { rules })
    const rejected = await evaluate(acme, agentId, { amount: 60 })
    expect(rejected.evaluationDetails.next.maxAmountNow).toBe(50)
    const tried = await simulate(acme, agentId, { amount: 60 })
    expect(tried.evaluationDetails.next.maxAmountNow).toBe(50)
    expect((await evaluate(acme, agentId, { amount: 50 })).decision).toBe('approved')
    const again = await evaluate(acme, agentId, { amount: 50 })
    expect(again.evaluationDetails).toMatchObject({
      code: 'duplicate_transaction',
      next: { maxAmountNow: 49.999999 },
    })
    expect((await evaluate(acme, agentId, { amount: 49.999999 })).decision).toBe('approved')
  })

  test('is named to each of many that ask at once', async () => {
    const { agentId } = await anActiveMandate(acme, { rules, budgetTotal: 1_000 })
    const amounts = Array.from({ length: 20 }, (_, index) => 41 + index)
    const answers = await Promise.all(amounts.map((amount) => evaluate(acme, agentId, { amount })))
    const approved = answers.filter(({ decision }) => decision === 'approved')
    expect(approved).toHaveLength(10)
    const named = answers
      .filter(({ decision }) => decision === 'rejected')
      .map(({ evaluationDetails }) => evaluationDetails.next.maxAmountNow)
    // Whether the 50 has been spent by then depends on the order of arrival.
    expect(named.filter((amount) => amount !== 50 && amount !== 49.999999)).toEqual([])
  })

  test('costs a further read only a rejection that needs the counter of another amount', async () => {
    const { agentId } = await anActiveMandate(acme, { rules })
    const plain = await anActiveMandate(acme, {
      rules: [
        { type: 'limit', maxCount: 9, window: '1h' },
        { type: 'amount', max: 50 },
      ],
    })
    await Promise.all([agentId, plain.agentId].map((id) => evaluate(acme, id, { amount: 1 })))
    const reads = async (id: string, amount: number) =>
      readsOf(() => evaluate(acme, id, { amount }))
    expect(await reads(agentId, 2)).toBe(1)
    expect(await reads(agentId, 60)).toBe(2)
    expect(await reads(plain.agentId, 2)).toBe(1)
    expect(await reads(plain.agentId, 60)).toBe(1)
  })
})
