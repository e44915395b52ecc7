import { formatAmount } from '../../../words/money.ts'
import type { Editor } from './use-editor.ts'

/** The gateway refuses a budget below the spent amount: the form says so before the press. */
export function budgetBelowSpent({ base, read }: Editor): string | undefined {
  if (!base || read.problems['budgetTotal'] || read.shown.budgetTotal >= base.budgetSpent) {
    return undefined
  }
  return `${formatAmount(base.budgetSpent, base.currency)} is already spent or held.`
}
