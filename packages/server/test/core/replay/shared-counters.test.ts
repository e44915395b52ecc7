import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { type Counter, EMPTY_COUNTER } from '../../../src/core/counters/counter.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import { decisionInputs, watchAccount } from '../../../src/core/replay/inputs.ts'
import { judgeAgain } from '../../../src/core/replay/judge-again.ts'
import { countersOf, readInputs } from '../../../src/core/replay/kept-inputs.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { createDesk, NOON, someCard, someSpend, units } from '../desk.ts'

const RULES: readonly RuleInput[] = [
  { type: 'limit', maxCount: 9, window: 'day' },
  { type: 'limit', maxAmount: 90, window: 'day' },
  { type: 'limit', maxAmount: 80, window: 'day', match: { category: 'llm' } },
]

/** The counters that a decision read, as its stored inputs give them back. */
function storedCounters(desk: ReturnType<typeof createDesk>, past: ReadonlyMap<string, Counter>) {
  const spend = someSpend()
  const usage = { counter: (key: string) => past.get(key), isRead: () => true, vendor: undefined }
  const watched = watchAccount({ ...desk.account, usage })
  const inputs = decisionInputs('decide', spend, watched, decide(spend, watched.account, NOON))
  assert(inputs)
  const kept = readInputs(inputs.text, spend.organizationId, { ...spend, id: spend.transactionId })
  const policies = desk.account.mandates.map(({ policy }) => policy)
  return [...countersOf(kept, policies, NOON).values()]
}

test('rules that share a counter read it once from the stored inputs of an approval', () => {
  const desk = createDesk({ rules: RULES })
  desk.spend({ category: 'search', amount: units(7) })
  const past = desk.spend({ amount: units(5) }).counters
  const sums = storedCounters(desk, past).map((counter) => [counter?.count, counter?.amount])
  expect(sums).toEqual([
    [2, units(12)],
    [1, units(5)],
  ])
})

test('a counter that did not exist at a rejection does not exist in the stored inputs either', () => {
  const desk = createDesk({ rules: [...RULES, { type: 'amount', max: 0.01 }] })
  expect(storedCounters(desk, new Map())).toEqual([undefined, undefined])
})

test('a counter in which nothing counts any more is not the same as a missing one', () => {
  const keys = [...createDesk({ rules: RULES }).ask().counters.keys()]
  const desk = createDesk({ rules: [...RULES, { type: 'amount', max: 0.01 }] })
  const stored = storedCounters(desk, new Map(keys.map((key) => [key, EMPTY_COUNTER])))
  expect(stored.map((counter) => counter?.count)).toEqual([0, 0])
})

test('a purchase that was approved in part is judged again to the same part', () => {
  const desk = createDesk({ rules: RULES })
  const past = desk.spend({ amount: units(75) }, NOON - 3_600_000).counters
  const spend = someSpend({ path: 'card', card: someCard({ partialUnit: 10_000n }) })
  const usage = { counter: (key: string) => past.get(key), isRead: () => true, vendor: undefined }
  const watched = watchAccount({ ...desk.account, usage })
  const decision = decide(spend, watched.account, NOON)
  expect(decision.spend.amount).toBe(units(5))
  const inputs = decisionInputs('decide', spend, watched, decision)
  assert(inputs)
  const kept = readInputs(inputs.text, spend.organizationId, { ...spend, id: spend.transactionId })
  const [policy] = desk.account.mandates.map((mandate) => mandate.policy)
  assert(policy)
  const again = judgeAgain(kept, () => policy, NOON)
  expect([again.spend.amount, again.counters, again.details]).toEqual([
    decision.spend.amount,
    decision.counters,
    decision.details,
  ])
})
