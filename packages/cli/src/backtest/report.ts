import type { Backtest, FlippedDecision, FlipReason, MoneyEachWay, RuleEffect } from '@purser/sdk'
import { colorOf } from '../output/color.ts'
import { countOf } from '../output/count-of.ts'
import { toAmountText, toMoneyText } from '../output/money.ts'
import { plain } from '../output/plain.ts'
import { type Column, SHORT, toTable } from '../output/table.ts'

/** The report for people: the sums, then the decisions that change. */
export function toReport(report: Backtest): string[] {
  return [
    ...toSums(report),
    ...section('Why decisions change', report.reasons, reasonColumns),
    ...section('The rules', report.rules, ruleColumns),
    ...section('Changed decisions, the largest first', report.examples, flipColumns),
    ...toNotes(report),
  ]
}

function toSums(report: Backtest): string[] {
  const { replayed, from, replayedTo, approvedBefore, approvedNow } = report
  const { newlyApproved, newlyRejected, newlyAsked, money } = report
  if (replayed === 0) return ['No decisions in this time.']
  const rejected = money.map((each) => toMoneyText(each.newlyRejected, each.currency))
  const approved = money.map((each) => toMoneyText(each.newlyApproved, each.currency))
  return [
    `${countOf(replayed, 'decision')} replayed, from ${from} to ${replayedTo}.`,
    `Approved before: ${approvedBefore}. Approved with these rules: ${approvedNow}.`,
    `Newly rejected: ${newlyRejected}${amountsOf(rejected, newlyRejected)}. Newly approved: ${newlyApproved}${amountsOf(approved, newlyApproved)}. Newly needing approval: ${newlyAsked}.`,
  ]
}

function amountsOf(amounts: readonly string[], count: number): string {
  return count === 0 || amounts.length === 0 ? '' : ` (${amounts.join(', ')})`
}

function toNotes({ partial, replayedTo, notReplayed, warnings }: Backtest): string[] {
  const notes = [
    ...(partial ? [`The backtest stopped at ${replayedTo}; later decisions are left out.`] : []),
    ...notReplayed.map(
      ({ reason, count }) => `Not replayed: ${countOf(count, 'decision')} (${reason}).`,
    ),
    ...warnings.map(({ message }) => `Warning: ${plain(message)}`),
  ]
  return notes.length === 0 ? [] : ['', ...notes]
}

function section<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): string[] {
  return rows.length === 0 ? [] : ['', title, ...toTable(rows, columns)]
}

const reasonColumns: readonly Column<FlipReason>[] = [
  { title: 'BEFORE', text: ({ before }) => before },
  { title: 'AFTER', text: ({ after }) => after },
  { title: 'COUNT', text: ({ count }) => count, align: 'right' },
  { title: 'MONEY', text: ({ money }) => money.map(toChange).join(', ') },
]

function toChange({ currency, newlyApproved, newlyRejected }: MoneyEachWay): string {
  const parts = [
    ...(newlyApproved > 0 ? [`+${toAmountText(newlyApproved, currency)}`] : []),
    ...(newlyRejected > 0 ? [`-${toAmountText(newlyRejected, currency)}`] : []),
  ]
  return `${parts.join(' ')} ${currency ?? ''}`.trim()
}

const ruleColumns: readonly Column<RuleEffect>[] = [
  { title: 'RULE', text: ({ id }) => id, shrinksTo: SHORT },
  { title: 'REJECTS', text: ({ stoodInTheWay }) => stoodInTheWay, align: 'right' },
  { title: 'NEWLY', text: ({ newlyRejected }) => newlyRejected, align: 'right' },
  { title: 'ASKS', text: ({ askedPerson }) => askedPerson, align: 'right' },
  { title: 'FLAGS', text: ({ flagged }) => flagged, align: 'right' },
]

const flipColumns: readonly Column<FlippedDecision>[] = [
  { title: 'TIME', text: ({ createdAt }) => createdAt, spare: 1 },
  {
    title: 'AMOUNT',
    text: ({ amount, currency }) => toMoneyText(amount, currency),
    align: 'right',
  },
  { title: 'VENDOR', text: ({ vendor }) => vendor, shrinksTo: SHORT },
  {
    title: 'BEFORE',
    text: ({ before }) => before.code,
    shrinksTo: SHORT,
    color: ({ before }) => colorOf(before.decision),
  },
  {
    title: 'AFTER',
    text: ({ after }) => after.code,
    shrinksTo: SHORT,
    color: ({ after }) => colorOf(after.decision),
  },
  {
    title: 'RULE',
    text: ({ after, before }) => after.ruleId ?? before.ruleId,
    shrinksTo: SHORT,
    spare: 2,
  },
  { title: 'TRANSACTION', text: ({ transactionId }) => transactionId },
]
