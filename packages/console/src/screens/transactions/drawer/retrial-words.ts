import type { Simulation } from '@purser/sdk'
import { formatMoney, tidySentence } from '../../../words/money.ts'
import type { Tone } from '../../../words/words.ts'

/** The verdict on the same spend today: "Today: approved, 123.00 USD left." */
export function retrialWords(
  answer: Simulation,
  currency: string | null,
): { readonly tone: Tone; readonly title: string; readonly text: string } {
  const { decision, remainingBudget, evaluationDetails } = answer
  const { code, message } = evaluationDetails
  if (decision === 'approved') {
    const left = formatMoney(remainingBudget, currency)
    return { tone: 'ok', title: 'Today: approved,', text: `${left} left. Nothing was spent.` }
  }
  const text = tidySentence(message, currency)
  return code === 'approval_required'
    ? { tone: 'ask', title: 'Today: needs approval.', text }
    : { tone: 'no', title: 'Today: rejected.', text }
}
