import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { bucketsOver } from '../../../src/core/counters/buckets.ts'
import { addTo, EMPTY_COUNTER } from '../../../src/core/counters/counter.ts'
import type { Usage } from '../../../src/core/counters/usage.ts'
import { type Decision, decide } from '../../../src/core/decision/decide.ts'
import { compilePolicy, type Policy, seriesOf } from '../../../src/core/mandates/policy.ts'
import { pastKey } from '../../../src/core/rules/counter-key.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import type { Origins } from '../../../src/core/rules/verdict.ts'
import type { Spend } from '../../../src/core/spend.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { createDesk, mandateId, NOON, someSpend, units } from '../desk.ts'
import { someTerms } from '../some-terms.ts'

const MARK = pastKey(mandateId(0), { since: 4 })
const LLM_PER_DAY: RuleInput = {
  type: 'limit',
  maxAmount: 50,
  window: 'day',
  match: { category: 'llm' },
}
const SERIES = 'day/all/,llm,'

function policyOf(rule: RuleInput, origins: Origins = {}): Policy {
  const terms = someTerms({ rules: toRules([rule]) })
  return compilePolicy({ mandateId: mandateId(0), version: 4, hash: 'sha256:x', terms, origins })
}

function judge(
  rule: RuleInput,
  origins: Origins,
  usage: Partial<Usage>,
  change: Partial<Spend> = {},
): Decision {
  const { account } = createDesk({})
  const policy = policyOf(rule, origins)
  const [own] = account.mandates
  assert(own)
  const nothing: Usage = { counter: () => undefined, isRead: () => true, vendor: undefined }
  const read = { ...account, mandates: [{ ...own, policy }], usage: { ...nothing, ...usage } }
  return decide(someSpend(change), read, NOON)
}

describe('a limit whose past is still being counted', () => {
  const late: Origins = { [SERIES]: { since: 4, isLate: true } }
  const marked = (key: string) => (key === MARK ? EMPTY_COUNTER : undefined)

  test('fails for every spend that it counts, and names no amount and no instant', () => {
    const { code, details } = judge(LLM_PER_DAY, late, { counter: marked })
    expect(code).toBe('past_being_counted')
    expect(details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: null,
      retryAfter: null,
    })
  })

  test('does not concern a spend that it does not count', () => {
    const { code } = judge(LLM_PER_DAY, late, { counter: marked }, { category: 'search' })
    expect(code).toBe('approved')
  })

  test('is judged as usual once the mark is gone, and with the mark of a different version', () => {
    const other = pastKey(mandateId(0), { since: 3 })
    for (const counter of [
      () => undefined,
      (key: string) => (key === other ? EMPTY_COUNTER : undefined),
    ]) {
      expect(judge(LLM_PER_DAY, late, { counter }).code).toBe('approved')
      const { code, details } = judge(LLM_PER_DAY, late, { counter }, { amount: units(51) })
      expect(code).toBe('limit_amount_exceeded')
      expect(details.next.maxAmountNow).toBe(50)
    }
  })

  test('names the instant at which a spend passes, once its past is counted', () => {
    const layout = bucketsOver({ kind: 'calendar', unit: 'day' }, zoneOf('UTC'), 'none')
    const spent = addTo(EMPTY_COUNTER, layout, NOON, units(45))
    const counter = (key: string) => (key.endsWith(`/${SERIES}/`) ? spent : undefined)
    const { code, details } = judge(LLM_PER_DAY, late, { counter })
    expect(code).toBe('limit_amount_exceeded')
    expect(details.next).toMatchObject({ maxAmountNow: 5, retryAfter: '2026-10-16T00:00:00.000Z' })
  })

  test('is not one whose origin is not late', () => {
    const counted: Origins = { [SERIES]: { since: 4 } }
    expect(judge(LLM_PER_DAY, counted, { counter: marked }).code).toBe('approved')
    expect(judge(LLM_PER_DAY, {}, { counter: marked }).code).toBe('approved')
  })
})

test('a rule without a largest amount leaves that to the others, once its past is counted', () => {
  const [series] = seriesOf(policyOf({ type: 'duplicate', window: '1h' }))
  assert(series)
  const origins: Origins = { [series.name]: { since: 4, isLate: true } }
  const { code, details } = judge(
    { type: 'duplicate', window: '1h' },
    origins,
    {},
    { amount: units(101) },
  )
  expect(code).toBe('budget_exceeded')
  expect(details.next.maxAmountNow).toBe(100)
})

describe('a rule about vendors while earlier payments are not all read', () => {
  const known = { firstAt: NOON - 1, lastAmount: units(10) }
  const rule: RuleInput = { type: 'price_drift', maxIncreasePercent: 50 }

  test('fails for a vendor that it does not know', () => {
    const { code } = judge(rule, {}, { vendorsIncomplete: true })
    expect(code).toBe('vendor_history_incomplete')
    expect(judge(rule, {}, { vendorsIncomplete: false }).code).toBe('approved')
  })

  test('judges a known vendor as usual', () => {
    const usage = { vendorsIncomplete: true, vendor: known }
    expect(judge(rule, {}, usage).code).toBe('approved')
    expect(judge(rule, {}, usage, { amount: units(16) }).code).toBe('price_drift')
  })

  test('does not concern rules that need no history', () => {
    const rules: RuleInput[] = [
      { type: 'amount', max: 50 },
      { type: 'vendors', allow: ['api.openai.com'] },
    ]
    for (const without of rules) {
      expect(judge(without, {}, { vendorsIncomplete: true }).code).toBe('approved')
    }
  })
})
