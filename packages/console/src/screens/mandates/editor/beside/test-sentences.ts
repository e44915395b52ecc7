import type { BudgetPeriod, Simulation } from '@purser/sdk'
import { moneyValue } from '../../../../ui/money-text.ts'
import { formatMoney, tidySentence } from '../../../../words/money.ts'
import { formatMonth } from '../../../../words/time.ts'
import { codeWord, type Tone } from '../../../../words/words.ts'
import type { Editor } from '../use-editor.ts'
import type { TestSpend } from './test-input.ts'

/** The terms that the words of a verdict need. */
export interface TestedTerms {
  readonly currency: string
  readonly timezone: string
  readonly budgetPeriod: BudgetPeriod
}

/** "123.00 USD of November would be left.", or the gateway's reason. */
export function verdictSentence(answer: Simulation, terms: TestedTerms): string {
  const { currency, timezone, budgetPeriod } = terms
  const { evaluationDetails, decision, remainingBudget } = answer
  if (decision === 'rejected') return tidySentence(evaluationDetails.message, currency)
  const end = evaluationDetails.budget?.periodEnd
  // Only a monthly budget has the name of its month.
  const isMonth = budgetPeriod === 'monthly' && end
  const period = isMonth ? ` of ${formatMonth(new Date(Date.parse(end) - 1), timezone)}` : ''
  const flags = answer.flags.length > 0 ? ' It is flagged.' : ''
  return `${formatMoney(remainingBudget, currency)}${period} would be left.${flags}`
}

/** "Version 4 rejects it: per-spend limit exceeded."; undefined if both decide the same. */
export function differsSentence(
  draft: Simulation,
  active: Simulation,
  version: number | undefined,
  currency: string,
): { readonly text: string; readonly tone: Tone } | undefined {
  const name = version === undefined ? 'The active mandate' : `Version ${version}`
  const { code } = active.evaluationDetails
  if (draft.decision === active.decision && draft.evaluationDetails.code === code) return undefined
  if (active.decision === 'approved') {
    const left = formatMoney(active.remainingBudget, currency)
    return { text: `${name} approves it, with ${left} left.`, tone: 'ok' }
  }
  if (code === 'approval_required') return { text: `${name} requires approval.`, tone: 'ask' }
  const why = codeWord(code)
  return { text: `${name} rejects it: ${why.charAt(0).toLowerCase()}${why.slice(1)}.`, tone: 'no' }
}

/** Why nothing is tested: the first thing that is missing. */
export function unreadSentence(test: TestSpend, { form, read }: Editor): string {
  if (form.agentId === '') return 'Choose an agent to test a spend.'
  if (moneyValue(test.amount) === null || Number(moneyValue(test.amount)) === 0) {
    return 'Enter an amount to test.'
  }
  if (test.vendor.trim() === '') return 'Enter a vendor to test.'
  if (test.category.trim() === '') return 'Enter a category to test.'
  if (!read.input) return 'A field of the form needs a value first.'
  return 'Testing…'
}
