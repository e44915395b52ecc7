import type { EvaluationDetails, Finding } from '@purser/sdk'
import { type Color, colorOf, paint } from '../output/color.ts'
import { toAmountText } from '../output/money.ts'
import { toPage } from '../output/page.ts'
import { plain } from '../output/plain.ts'
import { type Column, SHORT, toTable } from '../output/table.ts'

/** The parts of a decision that all its forms share. */
export interface ShownDecision {
  readonly decision: 'approved' | 'rejected'
  readonly transactionId: string | null
  readonly status: string
  readonly remainingBudget: number | null
  readonly evaluationDetails: EvaluationDetails | null
}

const findingColumns: readonly Column<Finding>[] = [
  { title: 'RULE', text: ({ id }) => id },
  { title: 'RESULT', text: ({ outcome }) => outcome, color: ({ outcome }) => COLORS[outcome] },
  { title: 'CODE', text: ({ code }) => code },
  { title: 'OBSERVED', text: ({ observed }) => toText(observed), shrinksTo: SHORT, spare: 2 },
  { title: 'LIMIT', text: ({ limit }) => toText(limit), shrinksTo: SHORT, spare: 1 },
  { title: 'MESSAGE', text: ({ message }) => message, shrinksTo: 30 },
]

const COLORS: Readonly<Record<Finding['outcome'], Color>> = {
  pass: 'green',
  fail: 'red',
  escalate: 'yellow',
  flag: 'yellow',
}

function toText(value: Finding['observed']): string | null {
  if (value === null) return null
  return typeof value === 'object' ? value.join(', ') : String(value)
}

/** Formats a decision: the findings as a table, the sentence, and the next steps. */
export function toDecisionLines(shown: ShownDecision): string[] {
  const { decision, evaluationDetails: details } = shown
  const word = paint(decision === 'approved' ? 'Approved' : 'Rejected', colorOf(decision))
  if (details === null) {
    return [`${word}. Retention has removed the details.`, ...factsOf(shown)]
  }
  const table = details.rules.length === 0 ? [] : [...toTable(details.rules, findingColumns), '']
  return [...table, `${word}: ${plain(details.message)}`, ...factsOf(shown)]
}

function factsOf({ transactionId, status, remainingBudget, evaluationDetails }: ShownDecision) {
  const { code, next, approval } = evaluationDetails ?? {}
  // For a duplicate, a different amount would only hide that the spend was made before.
  const { maxAmountNow, maxAmountWithApproval } =
    code === 'duplicate_transaction' ? {} : (next ?? {})
  // A dry run has the status that the spend would get.
  const wouldBe = transactionId === null && status !== 'rejected'
  return toPage([
    ['code', code],
    ['transaction', transactionId === null ? 'none: nothing was recorded' : transactionId],
    ['status', wouldBe ? `would be ${status}` : status],
    ['remaining budget', remainingBudget === null ? null : toAmountText(remainingBudget)],
    ['would pass now', atMost(maxAmountNow)],
    // The two are equal if no rule asks for an approval.
    [
      'with an approval',
      maxAmountWithApproval === maxAmountNow ? null : atMost(maxAmountWithApproval),
    ],
    ['would pass from', next?.retryAfter],
    ['approval', approval ? `${approval.id} (${approval.status})` : null],
  ])
}

function atMost(amount: number | null | undefined): string | null {
  return amount ? `at most ${toAmountText(amount)}` : null
}
