import { describe, expect, test } from 'vitest'
import { compilePolicy } from '../../../src/core/mandates/policy.ts'
import { decisionInputs, watchAccount } from '../../../src/core/replay/inputs.ts'
import type { RecordedDecision } from '../../../src/core/replay/recorded-decision.ts'
import { createReplay } from '../../../src/core/replay/replay.ts'
import type { StoredStep } from '../../../src/core/replay/steps.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { createDesk, mandateId, NOON, someSpend } from '../desk.ts'
import { someTerms } from '../some-terms.ts'
import { recordedAt } from './recorded.ts'

const ROWS = 2_000
const MINUTE_MS = 60_000
const DUPLICATE: RuleInput = { type: 'duplicate', window: '10m', match: ['reference'] }
const { organizationId, agentId } = someSpend()

/** What a replay remembers at most while it goes through a past, one purchase each minute. */
function mostRemembered(rules: readonly RuleInput[], more: (at: number) => object = () => ({})) {
  const [recorded, proposed] = [policyOf([]), policyOf(rules)]
  const replay = createReplay({
    organizationId,
    agentId,
    mandateId: mandateId(0),
    treeIds: new Set([mandateId(0)]),
    recorded: () => recorded,
    proposed: () => proposed,
    counting: proposed,
  })
  let most = 0
  for (let row = 0; row < ROWS; row += 1) {
    const at = NOON + row * MINUTE_MS
    replay.next({ ...aPurchase(row, at), ...more(at) })
    most = Math.max(most, replay.size)
  }
  return most
}

function policyOf(rules: readonly RuleInput[]) {
  const terms = someTerms({ rules: toRules(rules) })
  return compilePolicy({ mandateId: mandateId(0), version: 1, hash: 'hash', terms })
}

/** Each with a reference of its own. */
function aPurchase(row: number, at: number): RecordedDecision {
  const spend = someSpend({ amount: 1_000_000n, reference: `purchase ${row}` })
  const desk = createDesk({ budgetTotal: 10_000_000_000n })
  const decided = desk.spend(spend, at)
  const watched = watchAccount(createDesk({ budgetTotal: 10_000_000_000n }).account)
  const given = decisionInputs('decide', spend, watched, desk.ask(spend, at))
  return recordedAt(at, { ...decided, spend }, { inputs: given?.text ?? null })
}

describe('a replay of a long past', () => {
  test('forgets the counters of rules once nothing in them counts', () => {
    expect(mostRemembered([DUPLICATE])).toBeLessThan(50)
  })

  test('forgets how far counters are from the record, too', () => {
    expect(mostRemembered([DUPLICATE, { type: 'amount', max: 0.5 }])).toBeLessThan(50)
  })

  test('does not wait for refunds that change nothing', () => {
    const refunded = (at: number) => {
      const back: StoredStep = [at + ROWS * MINUTE_MS, [[at, '0', '0', '1000000']]]
      return { refundedAmount: 1_000_000n, steps: [back] }
    }
    expect(mostRemembered([DUPLICATE], refunded)).toBeLessThan(50)
  })

  test('remembers what was spent at a vendor, once', () => {
    expect(mostRemembered([{ type: 'new_vendor', effect: 'flag' }])).toBe(1)
  })
})
