import { formatMoney, tidySentence } from './money.ts'
import { codeWord } from './words.ts'

/** The kinds of answer to "why?". Each has its own seal. */
export type VerdictKind =
  | 'approved'
  | 'rejected'
  | 'asked'
  | 'held'
  | 'voided'
  | 'expired'
  | 'refunded'

/** The fields of a transaction or of a simulation that its sentence needs. */
export interface Decided {
  readonly decision: string
  readonly code: string
  readonly status?: string | undefined
  readonly amount: number
  readonly currency: string | null
  readonly vendor: string
  /** The gateway's sentence; null once retention has removed it. */
  readonly message: string | null
  readonly remainingBudget?: number | undefined
  readonly refundedAmount?: number | undefined
  readonly settledAmount?: number | undefined
}

/** The kind of verdict of a decision. */
export function verdictOf(decision: string, code: string, status?: string): VerdictKind {
  if (code === 'approval_required') return 'asked'
  if (decision === 'rejected') return 'rejected'
  if (status === 'held' || status === 'voided' || status === 'expired') return status
  return status === 'refunded' || status === 'partially_refunded' ? 'refunded' : 'approved'
}

/** The word before the sentence. A simulation says "would". */
export function verdictWord(kind: VerdictKind, isTested = false): string {
  return isTested ? (TESTED_WORDS[kind] ?? WORDS[kind]) : WORDS[kind]
}

const WORDS: Readonly<Record<VerdictKind, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  asked: 'Needs approval',
  held: 'Held',
  voided: 'Voided',
  expired: 'Expired',
  refunded: 'Refunded',
}

const TESTED_WORDS: Readonly<Partial<Record<VerdictKind, string>>> = {
  approved: 'Would be approved',
  rejected: 'Would be rejected',
  asked: 'Would need approval',
  held: 'Would be held',
}

/**
 * The decision in one sentence. The gateway explains rejections; of an approved spend a person
 * wants to know the amount, the place and the rest of the budget.
 */
export function verdictSentence(decided: Decided): string {
  const { decision, code, status, currency, vendor, message, remainingBudget } = decided
  if (decision === 'rejected') {
    return message === null ? `${codeWord(code)}.` : tidySentence(message, currency)
  }
  const spent = `${formatMoney(decided.amount, currency)} at ${vendor}`
  if (code === 'recorded') return `${spent}. The money moved without a decision.`
  if (status === 'voided') return `${spent}. No money moved, and the budget has it back.`
  if (status === 'expired') return `${spent}. Nothing was captured in time, so the hold ended.`
  if (status === 'refunded') return `${spent}. The whole amount came back.`
  if (status === 'partially_refunded') {
    const back = formatMoney(decided.refundedAmount ?? 0, currency)
    return `${back} of ${formatMoney(decided.settledAmount ?? decided.amount, currency)} at ${vendor}.`
  }
  if (remainingBudget === undefined) return `${spent}.`
  return `${spent}. ${formatMoney(remainingBudget, currency)} left in the budget.`
}
