import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { addTo, EMPTY_COUNTER } from '../../../src/core/counters/counter.ts'
import {
  addPast,
  countedByBudget,
  createPastEntries,
  originsAfter,
  policyWith,
  reachOf,
  rulesAwaiting,
  rulesWithoutPast,
  seriesSince,
  sumOnlyKeyOf,
  withLateOrigins,
  withoutLateOrigins,
} from '../../../src/core/decision/past.ts'
import { compilePolicy, type Policy, seriesOf } from '../../../src/core/mandates/policy.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import type { Origins } from '../../../src/core/rules/verdict.ts'
import { LATEST } from '../../../src/core/time/instant.ts'
import { mandateId, NOON, units } from '../desk.ts'
import { someTerms } from '../some-terms.ts'
import { someTransaction } from '../some-transaction.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY = 'day/all/,,'
const HOUR = '3600000ms/all/,,'
const PERIOD = 'period/all/,,'

const perDay: RuleInput = { type: 'limit', id: 'day', maxAmount: 50, window: 'day' }
const perHour: RuleInput = { type: 'limit', id: 'hour', maxAmount: 20, window: '1h' }
const perPeriod: RuleInput = { type: 'limit', id: 'period', maxAmount: 90, window: 'period' }
const countPerPeriod: RuleInput = { type: 'limit', id: 'count', maxCount: 9, window: 'period' }

function policyOf(rules: readonly RuleInput[], origins: Origins = {}): Policy {
  const terms = someTerms({ budgetPeriod: 'monthly', rules: toRules(rules) })
  return compilePolicy({ mandateId: mandateId(0), version: 3, hash: 'sha256:x', terms, origins })
}

describe('the origins of counters', () => {
  test('begin with the version that adds a series, and go on while the mandate keeps it', () => {
    const before = policyOf([perDay], { [DAY]: { since: 2 } })
    expect(originsAfter(before, policyOf([perDay, perHour]), 4)).toEqual({
      [DAY]: { since: 2 },
      [HOUR]: { since: 4 },
    })
    expect(originsAfter(policyOf([perDay]), policyOf([perDay]), 4)).toStrictEqual({})
  })

  test('begin again for a series that the mandate had only earlier', () => {
    const without = policyOf([perHour], { [DAY]: { since: 2 } })
    expect(originsAfter(without, policyOf([perDay]), 4)).toEqual({ [DAY]: { since: 4 } })
  })

  test('begin with the budget only over its period, and without a number of spends', () => {
    const sumOnly = { since: 4, isSumOnly: true }
    const none = policyOf([])
    expect(originsAfter(none, policyOf([perPeriod]), 4)).toEqual({ [PERIOD]: sumOnly })
    expect(originsAfter(none, policyOf([countPerPeriod]), 4)).toEqual({ [PERIOD]: { since: 4 } })
    expect(originsAfter(none, policyOf([perDay]), 4)).toEqual({ [DAY]: { since: 4 } })
  })

  test('begin again if the number of spends is needed and was not counted', () => {
    const before = policyOf([perPeriod], { [PERIOD]: { since: 2, isSumOnly: true } })
    const counting = policyOf([perPeriod, countPerPeriod])
    expect(originsAfter(before, counting, 4)).toEqual({ [PERIOD]: { since: 4 } })
    expect(originsAfter(before, policyOf([perPeriod, perDay]), 4)).toEqual({
      [PERIOD]: { since: 2, isSumOnly: true },
      [DAY]: { since: 4 },
    })
    const counted = policyOf([countPerPeriod], { [PERIOD]: { since: 2 } })
    expect(originsAfter(counted, counting, 4)).toEqual({ [PERIOD]: { since: 2 } })
  })
})

describe('a past that is counted in the background', () => {
  const origins: Origins = {
    [DAY]: { since: 4 },
    [HOUR]: { since: 3 },
    [PERIOD]: { since: 4, isSumOnly: true },
  }

  test('marks the origins of its version, except those that the budget has counted', () => {
    const late = { ...origins, [DAY]: { since: 4, isLate: true } }
    expect(withLateOrigins(origins, 4)).toEqual(late)
  })

  test('keeps the marks only of versions that are still being counted', () => {
    const late: Origins = {
      [DAY]: { since: 4, isLate: true },
      [HOUR]: { since: 3, isLate: true },
      [PERIOD]: { since: 4, isSumOnly: true },
    }
    expect(withoutLateOrigins(late, [4])).toEqual({ ...late, [HOUR]: { since: 3 } })
    expect(withoutLateOrigins(late, [])).toEqual(origins)
    expect(withoutLateOrigins(origins, [3, 4])).toEqual(origins)
  })

  test('is awaited by the rules whose series begin with its version', () => {
    const policy = policyOf([perDay, perHour, perPeriod, { type: 'amount', max: 5 }], origins)
    expect(rulesAwaiting(policy, 4)).toEqual(['day'])
    expect(rulesAwaiting(policy, 3)).toEqual(['hour'])
    expect(seriesSince(policy, 4).map(({ name }) => name)).toEqual([DAY])
    expect(seriesSince(policy, 5)).toEqual([])
  })

  test('is missing for the rules of a draft that need what the mandate does not keep', () => {
    const draft = policyOf([perDay, perHour, { type: 'new_vendor' }, { type: 'amount', max: 5 }])
    expect(rulesWithoutPast(policyOf([perDay]), draft)).toEqual(['hour', 'new_vendor'])
    const knowing = policyOf([perDay, { type: 'price_drift', maxIncreasePercent: 5 }])
    expect(rulesWithoutPast(knowing, draft)).toEqual(['hour'])
  })

  test('reaches as far back as the longest window', () => {
    const [day, hour] = seriesOf(policyOf([perDay, perHour]))
    assert(day && hour)
    const early = Date.parse('2026-10-15T00:30Z')
    const hourAgo = hour.layout.sinceAt(early)
    expect(reachOf([day, hour], NOON)).toBe(Date.parse('2026-10-15T00:00Z'))
    expect(reachOf([day, hour], early)).toBe(hourAgo)
    expect(reachOf([], NOON)).toBe(LATEST)
  })
})

describe('the counter that begins with the budget', () => {
  const policy = policyOf([perPeriod], { [PERIOD]: { since: 4, isSumOnly: true } })
  const key = `${mandateId(0)}~4/${PERIOD}/`

  test('has the spent amount, and no number of spends', () => {
    const [name, counter] = countedByBudget(policy, 4, units(30), NOON) ?? []
    expect([name, counter?.amount, counter?.count]).toEqual([key, units(30), 0])
    expect(sumOnlyKeyOf(policy)).toBe(key)
  })

  test('exists only for its version, its series, and money that was spent', () => {
    expect(countedByBudget(policy, 5, units(30), NOON)).toBeUndefined()
    expect(countedByBudget(policy, 4, 0n, NOON)).toBeUndefined()
    const counted = policyOf([countPerPeriod], { [PERIOD]: { since: 4 } })
    expect(countedByBudget(counted, 4, units(30), NOON)).toBeUndefined()
    expect(countedByBudget(policyOf([perDay]), 4, units(30), NOON)).toBeUndefined()
    const gone = policyOf([perDay], { [PERIOD]: { since: 4, isSumOnly: true } })
    expect(countedByBudget(gone, 4, units(30), NOON)).toBeUndefined()
    expect([sumOnlyKeyOf(counted), sumOnlyKeyOf(policyOf([]))]).toEqual([undefined, undefined])
  })
})

describe('an earlier transaction', () => {
  const rules = [perDay, { ...perDay, id: 'again', maxAmount: 40 }, perHour, perPeriod]
  const policy = policyOf(rules, {
    [DAY]: { since: 4 },
    [HOUR]: { since: 4 },
    [PERIOD]: { since: 4, isSumOnly: true },
  })
  const dayKey = `${mandateId(0)}~4/${DAY}/`
  const hourKey = `${mandateId(0)}~4/${HOUR}/`
  const at = (now: number, version = 4) => createPastEntries(policy, version, now)
  const entriesAt = (now: number, change = {}) =>
    at(now)(someTransaction(change)).map(({ key, at, amount, count }) => [key, at, amount, count])

  test('is added once to each counter that begins with the version, and to none of the budget', () => {
    expect(entriesAt(NOON)).toEqual([
      [dayKey, NOON, units(10), 1],
      [hourKey, NOON, units(10), 1],
    ])
    expect(at(NOON, 3)(someTransaction())).toEqual([])
  })

  test('is not added to a counter that its decision has counted it in', () => {
    expect(entriesAt(NOON, { countedIn: [dayKey] })).toEqual([[hourKey, NOON, units(10), 1]])
    expect(entriesAt(NOON, { countedIn: [dayKey, hourKey] })).toEqual([])
  })

  test.each(['rejected', 'voided', 'expired'] as const)('that is %s is not added', (status) => {
    expect(entriesAt(NOON, { status })).toEqual([])
  })

  test('is added part by part, as far as the window still covers it', () => {
    const laterParts = [[NOON + 30 * MINUTE_MS, '3000000', '0', '0']] as const
    const raised = { heldAmount: units(13), laterParts }
    const [first, second] = [
      [NOON, units(10), 1],
      [NOON + 30 * MINUTE_MS, units(3), 0],
    ]
    expect(entriesAt(NOON + HOUR_MS, raised)).toEqual([
      [dayKey, ...first],
      [dayKey, ...second],
      [hourKey, ...first],
      [hourKey, ...second],
    ])
    expect(entriesAt(NOON + HOUR_MS + MINUTE_MS, raised)).toEqual([
      [dayKey, ...first],
      [dayKey, ...second],
      [hourKey, ...second],
    ])
    expect(entriesAt(NOON + 24 * HOUR_MS, raised)).toEqual([])
  })

  test('is added to what its counters hold already', () => {
    const [entry] = at(NOON)(someTransaction())
    assert(entry)
    const counter = addTo(EMPTY_COUNTER, entry.layout, NOON + 1, units(4))
    const after = addPast(new Map([[dayKey, counter]]), [entry, { ...entry, amount: 1n, count: 0 }])
    expect(after.get(dayKey)).toMatchObject({ amount: units(14) + 1n, count: 2 })
    expect(addPast(new Map(), [entry]).get(dayKey)).toMatchObject({ amount: units(10), count: 1 })
  })
})

test('a policy with different origins or rules keeps everything else', () => {
  const policy = policyOf([perDay])
  const origins = { [DAY]: { since: 4 } }
  expect(policyWith(policy, { origins })).toMatchObject({ origins, version: 3, hash: 'sha256:x' })
  const changed = policyWith(policy, { origins, rules: toRules([perHour]) })
  expect(seriesOf(changed).map(({ name }) => name)).toEqual([HOUR])
})
