import { describe, expect, test } from 'vitest'
import type { Judged } from '../../../src/core/replay/recorded-decision.ts'
import { assumptionsOf, createReport } from '../../../src/core/replay/report.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { createDesk, NOON, units } from '../desk.ts'
import { recordedAt } from './recorded.ts'

const SECOND_MS = 1_000
const ALLOWS: RuleInput[] = []
const MAX: RuleInput[] = [{ type: 'amount', id: 'most', max: 5 }]
const BLOCKS: RuleInput[] = [{ type: 'vendors', id: 'blocked', block: ['api.openai.com'] }]
const ASKS: RuleInput[] = [{ type: 'approval', id: 'ask', above: 5 }]

interface Case {
  /** The recorded amount: `amount`, unless a card purchase was approved in part. */
  readonly pastAmount?: number
  readonly amount?: number
  readonly at?: number
}

/** A spend that was decided by the first rules, and is judged by the second ones. */
function aFlip(
  before: readonly RuleInput[],
  after: readonly RuleInput[],
  { amount = 10, pastAmount = amount, at = NOON }: Case = {},
): Judged {
  const then = createDesk({ rules: before }).ask({ amount: units(pastAmount) }, at)
  const now = createDesk({ rules: after }).ask({ amount: units(amount) }, at)
  const { firstFailure } = then.details
  const past = recordedAt(at, then, { currency: 'EUR', firstFailure })
  return { kind: 'judged', past, decision: now }
}

describe('the report of a replay', () => {
  test('counts how decisions differ', () => {
    const report = createReport(0)
    for (const [before, after] of [
      [ALLOWS, ALLOWS],
      [ALLOWS, MAX],
      [ALLOWS, ASKS],
      [ALLOWS, ASKS],
      [MAX, ALLOWS],
      [MAX, MAX],
      [MAX, BLOCKS],
      [MAX, ASKS],
      [MAX, ASKS],
      [ASKS, ASKS],
    ] as const) {
      report.add(aFlip(before, after))
    }
    expect(report.report()).toMatchObject({
      replayed: 10,
      approvedBefore: 4,
      approvedNow: 2,
      newlyRejected: 3,
      newlyApproved: 1,
      otherCode: 3,
      newlyAsked: 4,
      takenFromRecord: 0,
      reasons: [
        { before: 'approved', after: 'approval_required', count: 2 },
        { before: 'approved', after: 'amount_above_max', count: 1 },
        { before: 'amount_above_max', after: 'approved', count: 1 },
      ],
    })
  })

  test('sums money at its recorded amount if it would no longer move, and else as judged', () => {
    const report = createReport(9)
    report.add(aFlip(ALLOWS, MAX, { pastAmount: 8 }))
    report.add(aFlip(ALLOWS, MAX, { pastAmount: 7 }))
    report.add(aFlip(MAX, ALLOWS, { pastAmount: 20 }))
    const { money, rules, reasons } = report.report()
    const rejected = { currency: 'EUR', newlyApproved: 0, newlyRejected: 15 }
    const approved = { currency: 'USD', newlyApproved: 10, newlyRejected: 0 }
    expect(money).toEqual([rejected, approved])
    expect(reasons.map((reason) => reason.money)).toEqual([[rejected], [approved]])
    expect(rules.find(({ id }) => id === 'most')).toMatchObject({
      stoodInTheWay: 2,
      newlyRejected: 2,
      money: [rejected],
    })
  })

  test('counts decisions that were not judged again, and tells the first and the last instant', () => {
    const report = createReport(0)
    const past = (at: number) => aFlip(ALLOWS, MAX, { at }).past
    report.add({ kind: 'left', why: 'details_removed', past: past(NOON) })
    report.add({ kind: 'recorded', past: past(NOON + SECOND_MS) })
    report.add({ kind: 'recorded', past: past(NOON + 2 * SECOND_MS) })
    report.add({ kind: 'left', why: 'inputs_not_kept', past: past(NOON + 3 * SECOND_MS) })
    report.add({ kind: 'left', why: 'details_removed', past: past(NOON + 4 * SECOND_MS) })
    expect([report.count, report.lastAt]).toEqual([5, NOON + 4 * SECOND_MS])
    expect(report.report()).toMatchObject({
      replayed: 0,
      takenFromRecord: 2,
      notReplayed: [
        { reason: 'details_removed', count: 2 },
        { reason: 'inputs_not_kept', count: 1 },
      ],
      from: '2026-10-15T12:00:00.000Z',
      replayedTo: '2026-10-15T12:00:04.000Z',
    })
    expect(createReport(0).report()).toMatchObject({ from: null, replayedTo: null })
  })

  test('shows the largest flips, whenever they come', () => {
    const report = createReport(2)
    for (const amount of [9, 40, 8, 30, 7, 50]) report.add(aFlip(ALLOWS, MAX, { amount }))
    const examples = report.report().examples.map(({ amount, after }) => [amount, after.ruleId])
    expect(examples).toEqual([
      [50, 'most'],
      [40, 'most'],
    ])
  })

  test('says which budget and which spends it assumes', () => {
    const last = (...tested: Parameters<typeof assumptionsOf>) =>
      assumptionsOf(...tested)
        .slice(5)
        .map((text) => text.split(' ').slice(0, 2).join(' '))
    expect(last({})).toEqual(['Budgets, currency'])
    expect(last({ budgetTotal: 0n })).toEqual(['Currency and'])
    expect(last({ budgetTotal: 0n, isWholeHistory: true, from: NOON })).toEqual([
      'The mandate',
      'Spends before',
    ])
  })
})
