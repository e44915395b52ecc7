import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, anActiveMandate, bodyOf } from '../support/builders.ts'
import { change, evaluate, simulate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { withRows } from './past-proof.ts'

const NEW_VENDOR = { type: 'new_vendor' }
const DRIFT = { type: 'price_drift', maxIncreasePercent: 10 }
const INCOMPLETE = 'vendor_history_incomplete'

describe('a rule about vendors whose past is too long to be learned at once', () => {
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

  /** Keeps every process from learning while it runs: each step fails, and is rolled back. */
  async function whileNobodyLearns<T>(run: () => Promise<T>): Promise<T> {
    await app.rows(`
      create trigger refused before update of next_id or delete on vendor_pasts
      for each row execute function refuse()`)
    try {
      return await run()
    } finally {
      await app.rows('drop trigger refused on vendor_pasts')
    }
  }

  const few = <T>(run: () => Promise<T>) => withRows({ atOnce: 2, perStep: 2 }, run)
  const isLearned = async () => (await app.rows('select 1 from vendor_pasts')).length === 0
  const setRules = async (id: string, ...rules: readonly object[]) =>
    bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
  const pay = (agentId: string, vendor: string, amount = 10) =>
    evaluate(acme, agentId, { vendor, amount })
  const codeOf = async (agentId: string, vendor: string, amount = 10) =>
    (await simulate(acme, agentId, { vendor, amount })).evaluationDetails.code

  /** Pays one vendor long ago, and then others. */
  async function payOld(agentId: string): Promise<void> {
    for (const vendor of ['old.com', 'x.com', 'y.com', 'a.com', 'b.com']) await pay(agentId, vendor)
  }

  async function aPast(terms: object = {}) {
    const mandate = await anActiveMandate(acme, { budgetTotal: 5_000, ...terms })
    await payOld(mandate.agentId)
    return mandate
  }

  test('lets only vendors through that it knows and says so, until a worker has learned the rest', () =>
    few(async () => {
      const { id, agentId } = await aPast()
      await whileNobodyLearns(async () => {
        const { warnings } = await setRules(id, DRIFT, { type: 'amount', max: 500 })
        expect(warnings).toMatchObject([{ code: INCOMPLETE, ruleIds: ['price_drift'] }])
        expect(await codeOf(agentId, 'old.com', 10)).toBe(INCOMPLETE)
        expect(await codeOf(agentId, 'never.com', 10)).toBe(INCOMPLETE)
        const { evaluationDetails } = await simulate(acme, agentId, { vendor: 'old.com' })
        expect(evaluationDetails.next).toEqual({
          maxAmountNow: null,
          maxAmountWithApproval: null,
          retryAfter: null,
        })
        expect(await codeOf(agentId, 'a.com', 11)).toBe('approved')
        expect(await codeOf(agentId, 'a.com', 11.01)).toBe('price_drift')
      })
      await waitUntil(isLearned)
      expect(await codeOf(agentId, 'old.com', 11)).toBe('approved')
      expect(await codeOf(agentId, 'old.com', 11.01)).toBe('price_drift')
      expect(await codeOf(agentId, 'never.com', 500)).toBe('approved')
    }))

  test.each([
    ['new_vendor', NEW_VENDOR, 'new_vendor'],
    ['expression', { type: 'expression', expr: 'vendor_first_seen_days >= 0' }, 'expression_false'],
  ])('tells a new vendor from an old one once it knows all: %s', (_, rule, code) =>
    few(async () => {
      const { id, agentId } = await aPast()
      await whileNobodyLearns(async () => {
        await setRules(id, rule)
        expect(await codeOf(agentId, 'old.com')).toBe(INCOMPLETE)
        expect((await pay(agentId, 'never.com')).evaluationDetails.code).toBe(INCOMPLETE)
      })
      await waitUntil(isLearned)
      expect(await codeOf(agentId, 'old.com')).toBe('approved')
      expect(await codeOf(agentId, 'never.com')).toBe(code)
    }),
  )

  test('is as strict in a mandate above, for the agents below that have such a past', () =>
    few(async () => {
      const parent = await anActiveMandate(acme, { budgetTotal: 5_000 })
      const child = await aPast({ parentMandateId: parent.id })
      const other = await anActiveMandate(acme, { parentMandateId: parent.id })
      await whileNobodyLearns(async () => {
        await setRules(parent.id, DRIFT)
        expect(await codeOf(child.agentId, 'old.com', 100)).toBe(INCOMPLETE)
        expect(await codeOf(other.agentId, 'old.com', 100)).toBe('approved')
      })
      await waitUntil(isLearned)
      expect(await codeOf(child.agentId, 'old.com', 100)).toBe('price_drift')
    }))

  test('leaves agents alone that have only a draft below it', () =>
    few(async () => {
      const parent = await anActiveMandate(acme, { budgetTotal: 5_000 })
      const elsewhere = await aPast({ rules: [{ ...DRIFT, effect: 'flag' }] })
      await aDraft(acme, { agentId: elsewhere.agentId, parentMandateId: parent.id })
      expect((await setRules(parent.id, DRIFT)).warnings).toEqual([])
      expect(await codeOf(elsewhere.agentId, 'never.com')).toBe('approved')
    }))

  test('is as strict when a mandate begins below it, or with it', () =>
    few(async () => {
      const parent = await anActiveMandate(acme, { rules: [DRIFT], budgetTotal: 5_000 })
      for (const terms of [{ parentMandateId: parent.id }, { rules: [DRIFT] }]) {
        const { id, agentId } = await aPast()
        bodyOf(await acme.post(`/mandates/${id}/revoke`))
        await whileNobodyLearns(async () => {
          const { warnings } = await anActiveMandate(acme, { agentId, budgetTotal: 900, ...terms })
          expect(warnings).toMatchObject([{ code: INCOMPLETE }])
          expect(await codeOf(agentId, 'old.com', 100)).toBe(INCOMPLETE)
        })
        await waitUntil(isLearned)
        expect(await codeOf(agentId, 'old.com', 100)).toBe('price_drift')
      }
    }))

  test('does not trust a price that it noted before it was away', () =>
    few(async () => {
      const { id, agentId } = await anActiveMandate(acme, { rules: [DRIFT], budgetTotal: 5_000 })
      await pay(agentId, 'old.com', 50)
      await setRules(id)
      await payOld(agentId)
      await whileNobodyLearns(async () => {
        await setRules(id, DRIFT)
        expect(await codeOf(agentId, 'old.com', 50)).toBe(INCOMPLETE)
      })
      await waitUntil(isLearned)
      expect(await codeOf(agentId, 'old.com', 50)).toBe('price_drift')
    }))

  test('keeps the last price, whether it was settled before the rule came or meanwhile', () =>
    few(async () => {
      const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 5_000 })
      const hold = (vendor: string) =>
        evaluate(acme, agentId, { vendor, amount: 50, hold: { expiresIn: '1h' } })
      const before = [await hold('a.com'), await hold('b.com')]
      const during = await hold('x.com')
      await payOld(agentId)
      for (const { transactionId } of before) await change(acme, transactionId, 'settle', 20)
      await whileNobodyLearns(async () => {
        await setRules(id, { ...DRIFT, effect: 'flag' })
        await change(acme, during.transactionId, 'settle', 30)
        await pay(agentId, 'y.com', 40)
        await pay(agentId, 'b.com', 60)
      })
      await waitUntil(isLearned)
      const limits = ['a.com', 'x.com', 'y.com', 'b.com', 'old.com'].map(async (vendor) => {
        const { evaluationDetails } = await simulate(acme, agentId, { vendor, amount: 1 })
        return evaluationDetails.rules.find(({ type }) => type === 'price_drift')?.limit
      })
      expect(await Promise.all(limits)).toEqual([22, 33, 44, 66, 11])
    }))
})
