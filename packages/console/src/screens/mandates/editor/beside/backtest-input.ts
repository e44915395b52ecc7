import type { Backtest, BacktestInput } from '@purser/sdk'
import { addDays } from '../../../../words/days.ts'
import { formatMoney } from '../../../../words/money.ts'
import { countOf } from '../../../../words/text.ts'
import { formatDay } from '../../../../words/time.ts'
import type { Editor } from '../use-editor.ts'

export type Range = '30' | '90' | 'all'

const EXAMPLES = 50

/** The request for a backtest of the form. Null while nothing would change, or nothing is stored. */
export function backtestInput(editor: Editor, range: Range, today: string): BacktestInput | null {
  const { source, read, base, changes } = editor
  if (!read.input || source.kind === 'new' || (base && changes === 0)) return null
  const { rules, budgetTotal } = read.input
  const isOtherBudget = base === undefined || base.budgetTotal !== budgetTotal
  return {
    rules,
    ...(isOtherBudget ? { budgetTotal } : {}),
    // A draft has no past of its own: the agent's other mandates are its past.
    ...(source.kind === 'draft' ? { agentHistory: true } : {}),
    ...(range === 'all' ? {} : { from: addDays(today, -Number(range)) }),
    examples: EXAMPLES,
  }
}

/** The money of one direction, a text for each currency. */
export function flipMoney(
  { money }: Backtest,
  direction: 'newlyApproved' | 'newlyRejected',
): readonly string[] {
  return money
    .filter((each) => each[direction] > 0)
    .map((each) => formatMoney(each[direction], each.currency))
}

/** "Of 362 spends since 19 October, 5 more would pass (1,391.00 USD) and 2 fewer (96.00 USD)." */
export function backtestSentence(report: Backtest, timezone: string, now: Date) {
  const { replayed, newlyApproved, newlyRejected, from } = report
  const since = from ? ` since ${formatDay(new Date(from), timezone, now)}` : ''
  const start = `Of ${countOf(replayed, 'spend')}${since}, `
  if (newlyApproved === 0 && newlyRejected === 0) {
    return { start, strong: 'none would be decided differently', end: '.' }
  }
  const more = direction(`${newlyApproved} more would pass`, flipMoney(report, 'newlyApproved'))
  const fewer = direction(`${newlyRejected} fewer would pass`, flipMoney(report, 'newlyRejected'))
  if (newlyRejected === 0) return { start, strong: more, end: '.' }
  if (newlyApproved === 0) return { start, strong: fewer, end: '.' }
  return { start, strong: `${more} and ${fewer}`, end: '.' }
}

function direction(text: string, money: readonly string[]): string {
  return money.length === 0 ? text : `${text} (${money.join(', ')})`
}

/** Why decisions were left out, as the start of a sentence. */
export const NOT_REPLAYED_WORDS: Readonly<Record<string, string>> = {
  details_removed: 'Your retention removed the details',
  inputs_not_kept: 'The inputs of the decision were not stored',
  changes_not_kept: 'The later changes of the transaction were not stored',
}
