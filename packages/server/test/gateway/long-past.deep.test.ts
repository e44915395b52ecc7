import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { change, evaluate, simulate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { withRows } from './past-proof.ts'

const LIMIT = { type: 'limit', maxAmount: 50, window: 'day' }

describe('a limit whose past is too long to be counted at once', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    await app.rows(`
      create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not yet'; end $$`)
  })
  afterAll(() => app.stop())

  /** Keeps every process from counting while it runs: each step fails, and is rolled back. */
  async function whileNobodyCounts<T>(run: () => Promise<T>): Promise<T> {
    await app.rows(`
      create trigger refused before update or delete on past_counts
      for each row execute function refuse()`)
    try {
      return await run()
    } finally {
      await app.rows('drop trigger refused on past_counts')
    }
  }

  const few = <T>(run: () => Promise<T>) => withRows({ atOnce: 2, perStep: 2 }, run)
  const isCounted = async () => (await app.rows('select 1 from past_counts')).length === 0
  const codeOf = async (agentId: string, fields: object = {}) =>
    (await evaluate(acme, agentId, { amount: 1, ...fields })).evaluationDetails.code

  async function aPast(terms: object = {}) {
    const mandate = await anActiveMandate(acme, { budgetTotal: 500, ...terms })
    for (let spends = 0; spends < 6; spends++) await evaluate(acme, mandate.agentId, { amount: 8 })
    return mandate
  }

  test('lets nothing through and says so, until a worker has counted it', () =>
    few(async () => {
      const { id, agentId } = await aPast()
      await whileNobodyCounts(async () => {
        const rules = [LIMIT, { type: 'amount', max: 40 }]
        const changed = bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
        expect(changed.warnings).toMatchObject([{ code: 'past_being_counted', ruleIds: ['limit'] }])
        expect(await codeOf(agentId)).toBe('past_being_counted')
        const { evaluationDetails } = await simulate(acme, agentId, { amount: 1 })
        expect(evaluationDetails.next).toEqual({
          maxAmountNow: null,
          maxAmountWithApproval: null,
          retryAfter: null,
        })
      })
      await waitUntil(isCounted)
      expect(await codeOf(agentId, { amount: 2 })).toBe('approved')
      expect(await codeOf(agentId)).toBe('limit_amount_exceeded')
    }))

  test('stops only spends that it counts', () =>
    few(async () => {
      const { id, agentId } = await aPast()
      await whileNobodyCounts(async () => {
        const rules = [{ ...LIMIT, match: { category: 'search' } }]
        bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
        expect(await codeOf(agentId, { category: 'search' })).toBe('past_being_counted')
        expect(await codeOf(agentId, { category: 'llm' })).toBe('approved')
      })
      await waitUntil(isCounted)
    }))

  test('counts what a limit that only flags lets through meanwhile, and what is given back', () =>
    few(async () => {
      const { id, agentId } = await aPast()
      const hold = { amount: 5, hold: { expiresIn: '1h' } }
      const before = await evaluate(acme, agentId, hold)
      await whileNobodyCounts(async () => {
        bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ ...LIMIT, effect: 'flag' }] }))
        await evaluate(acme, agentId, { amount: 3 })
        await change(acme, before.transactionId, 'settle', 1)
      })
      await waitUntil(isCounted)
      const { evaluationDetails } = await simulate(acme, agentId, { amount: 1 })
      expect(evaluationDetails.rules[0]).toMatchObject({ observed: 48 + 3 + 1 + 1 })
    }))

  test('is no longer counted when the limit is taken away, and strict again when it comes back', () =>
    few(async () => {
      const { id, agentId } = await aPast()
      await whileNobodyCounts(async () => {
        bodyOf(await acme.patch(`/mandates/${id}`, { rules: [LIMIT] }))
        const { warnings } = bodyOf(await acme.patch(`/mandates/${id}`, { rules: [] }))
        expect(warnings).toEqual([])
        expect(await codeOf(agentId, { amount: 1 })).toBe('approved')
        bodyOf(await acme.patch(`/mandates/${id}`, { rules: [LIMIT] }))
        expect(await codeOf(agentId)).toBe('past_being_counted')
      })
      await waitUntil(isCounted)
      expect(await codeOf(agentId, { amount: 2 })).toBe('limit_amount_exceeded')
      expect(await codeOf(agentId, { amount: 1 })).toBe('approved')
    }))

  test('of a budget without resets is taken from the budget, however long it is', () =>
    few(async () => {
      const { id, agentId } = await aPast()
      const rules = [{ ...LIMIT, window: 'period' }]
      expect(bodyOf(await acme.patch(`/mandates/${id}`, { rules })).warnings).toEqual([])
      expect(await codeOf(agentId, { amount: 3 })).toBe('limit_amount_exceeded')
    }))

  test('leaves no mark to look for once the rules change again', () =>
    few(async () => {
      const { id } = await aPast()
      bodyOf(await acme.patch(`/mandates/${id}`, { rules: [LIMIT] }))
      await waitUntil(isCounted)
      bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ ...LIMIT, maxAmount: 60 }] }))
      const versions = await app.rows<{ origins: unknown }>(
        `select origins from mandate_versions order by changed_at desc limit 1`,
      )
      expect(versions).toEqual([{ origins: { 'day/all/,,': { since: 2 } } }])
    }))
})
