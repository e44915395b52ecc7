import { toPublicId } from '../id.ts'
import { type Micros, toUnits } from '../money.ts'
import { type Instant, toIso } from '../time/instant.ts'
import type { Judged, NotReplayed, Replayed } from './recorded-decision.ts'
import {
  createMoney,
  type MoneyEachWay,
  newTally,
  noteFinding,
  type RuleTally,
  type Tally,
  tallyOf,
} from './tally.ts'

/** The parts of a backtest, besides the rules, that differ from the record. */
export interface TestedTerms {
  readonly budgetTotal?: Micros | undefined
  readonly isWholeHistory?: boolean
  readonly from?: Instant | undefined
}

export function assumptionsOf({ budgetTotal, isWholeHistory, from }: TestedTerms): string[] {
  return [
    ...ASSUMPTIONS,
    isWholeHistory ? WHOLE_HISTORY : budgetTotal === undefined ? SAME_BUDGET : OTHER_BUDGET,
    ...(from === undefined ? [] : [EARLIER_SPENDS]),
  ]
}

const ASSUMPTIONS: readonly string[] = [
  'Spends of other agents under the same mandates keep their original decisions.',
  'A spend that was rejected and is now approved counts as settled in full when it was decided.',
  'A spend that was approved and is now rejected is left out with its captures, voids and refunds.',
  'These are taken from the record: frozen organizations, paused agents and cards, validity, tags, the vendor directory, approvals by people, deadlines, payments that bypassed the gateway, the approved part of a partially approved card purchase, and decisions made while the history of a new rule was still being counted.',
  'A spend that a person approved stays approved if a changed or new rule would require approval for it.',
]

const SAME_BUDGET =
  'Budgets, currency and time zone are those that the mandate had at each decision; only the rules differ.'
const OTHER_BUDGET =
  'Currency and time zone are those that the mandate had at each decision; only the rules and the budget differ.'
const WHOLE_HISTORY =
  "The mandate was active for the agent's whole history, with its present budget, currency and time zone, from any date on, and without parent mandates. All spends of the agent under other mandates count as spends under this one."
const EARLIER_SPENDS =
  'Spends before `from` keep their original decisions. Those that were approved count in budgets and limits.'

export interface Flips {
  readonly count: number
  readonly money: MoneyEachWay[]
}

export interface BacktestReport {
  readonly replayed: number
  readonly approvedBefore: number
  readonly approvedNow: number
  /** Rejected now, approved before. */
  readonly newlyRejected: number
  /** Approved now, rejected before. */
  readonly newlyApproved: number
  /** Decided the same way, but with a different code. */
  readonly otherCode: number
  /** Needs a person's approval now, and did not before. */
  readonly newlyAsked: number
  /** Taken from the record, not judged by the proposed rules. */
  readonly takenFromRecord: number
  readonly money: MoneyEachWay[]
  readonly reasons: (Flips & { readonly before: string; readonly after: string })[]
  readonly rules: RuleReport[]
  readonly examples: Example[]
  readonly notReplayed: { readonly reason: NotReplayed; readonly count: number }[]
  readonly from: string | null
  readonly replayedTo: string | null
  readonly assumptions: string[]
}

export interface RuleReport {
  readonly id: string
  readonly type: string
  readonly stoodInTheWay: number
  readonly askedPerson: number
  readonly flagged: number
  /** Approved spends that this rule alone, or as the first one, now rejects. */
  readonly newlyRejected: number
  readonly money: MoneyEachWay[]
}

export interface Example {
  readonly transactionId: string
  readonly createdAt: string
  readonly vendor: string
  readonly category: string | null
  readonly amount: number
  readonly currency: string | null
  readonly before: {
    readonly decision: 'approved' | 'rejected'
    readonly code: string
    readonly ruleId: string | null
  }
  readonly after: {
    readonly decision: 'approved' | 'rejected'
    readonly code: string
    readonly ruleId: string | null
    readonly message: string
  }
}

/** Collects the results of a replay in bounded memory. */
export interface ReportCollector {
  add(replayed: Replayed): void
  report(): BacktestReport
  readonly count: number
  readonly lastAt: Instant | undefined
}

/** There are some fifty codes, and few pairs of them occur. */
const REASONS_MAX = 200

const NONE = {
  replayed: 0,
  approvedBefore: 0,
  approvedNow: 0,
  newlyRejected: 0,
  newlyApproved: 0,
  otherCode: 0,
  newlyAsked: 0,
  takenFromRecord: 0,
}

export function createReport(examplesMax: number, tested: TestedTerms = {}): ReportCollector {
  const counts = { ...NONE }
  const money = createMoney()
  const reasons = new Map<string, Tally & { before: string; after: string }>()
  const rules = new Map<string, RuleTally>()
  const left = new Map<NotReplayed, number>()
  const examples: { readonly amount: Micros; readonly judged: Judged }[] = []
  let count = 0
  let firstAt: Instant | undefined
  let lastAt: Instant | undefined

  function addJudged(judged: Judged): void {
    const { past, decision } = judged
    const wasApproved = past.decision === 'approved'
    const isApproved = decision.decision === 'approved'
    const isOther = past.code !== decision.code
    counts.replayed += 1
    counts.approvedBefore += Number(wasApproved)
    counts.approvedNow += Number(isApproved)
    counts.newlyAsked += Number(isOther && decision.code === 'approval_required')
    counts.otherCode += Number(isOther && wasApproved === isApproved)
    for (const finding of decision.details.rules) noteFinding(rules, finding)
    if (wasApproved !== isApproved) addFlip(judged, isApproved)
  }

  function addFlip(judged: Judged, isApproved: boolean): void {
    const { past, decision } = judged
    counts[isApproved ? 'newlyApproved' : 'newlyRejected'] += 1
    const amount = isApproved ? decision.spend.amount : past.amount
    const currency = isApproved ? decision.currency : past.currency
    money.add(currency, isApproved, amount)
    const reason = tallyOf(reasons, `${past.code} ${decision.code}`, REASONS_MAX, () => ({
      ...newTally(),
      before: past.code,
      after: decision.code,
    }))
    reason?.add(currency, isApproved, amount)
    const { firstFailure } = decision.details
    if (firstFailure !== null) rules.get(firstFailure)?.add(currency, isApproved, amount)
    examples.push({ amount, judged })
    // Keeps the largest examples. Sorting now and then is cheaper than inserting each one in order.
    if (examples.length > 2 * examplesMax) examples.splice(0, examples.length, ...largest())
  }

  function largest(): typeof examples {
    const sorted = examples.toSorted((a, b) => (a.amount > b.amount ? -1 : 1))
    return sorted.slice(0, examplesMax)
  }

  return {
    get count() {
      return count
    },
    get lastAt() {
      return lastAt
    },
    add(replayed) {
      count += 1
      firstAt ??= replayed.past.createdAt
      lastAt = replayed.past.createdAt
      if (replayed.kind === 'judged') addJudged(replayed)
      else if (replayed.kind === 'recorded') counts.takenFromRecord += 1
      else left.set(replayed.why, (left.get(replayed.why) ?? 0) + 1)
    },
    report: () => ({
      ...counts,
      money: money.told(),
      reasons: [...reasons.values()]
        .map(({ before, after, count, money }) => ({ before, after, count, money: money.told() }))
        .sort((a, b) => b.count - a.count),
      rules: [...rules.values()].map(toRuleReport),
      examples: largest().map(({ judged }) => toExample(judged)),
      notReplayed: [...left].map(([reason, count]) => ({ reason, count })),
      from: firstAt === undefined ? null : toIso(firstAt),
      replayedTo: lastAt === undefined ? null : toIso(lastAt),
      assumptions: assumptionsOf(tested),
    }),
  }
}

function toRuleReport({ id, type, stood, asked, flagged, count, money }: RuleTally): RuleReport {
  return {
    id,
    type,
    stoodInTheWay: stood,
    askedPerson: asked,
    flagged,
    newlyRejected: count,
    money: money.told(),
  }
}

function toExample({ past, decision }: Judged): Example {
  const { id, createdAt, vendor, category, amount, currency } = past
  return {
    transactionId: toPublicId('txn', id),
    createdAt: toIso(createdAt),
    vendor,
    category,
    amount: toUnits(amount),
    currency: currency ?? decision.currency,
    before: { decision: past.decision, code: past.code, ruleId: past.firstFailure },
    after: {
      decision: decision.decision,
      code: decision.code,
      ruleId: decision.details.firstFailure,
      message: decision.message,
    },
  }
}
