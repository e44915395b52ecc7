import type { Evaluation } from '../generated/types/index.ts'
import type { Bought } from './purchase.ts'
import { explainRejection } from './rejection.ts'
import type { ToolResult } from './types.ts'

/** The state of a hold now, if its decision is an earlier one. */
export interface DecidedCall {
  readonly now: { readonly status: string; readonly settledAmount: number } | undefined
}

/** The result of a decision on a purchase that the agent pays by itself. */
export function decidedResult(
  { answer, repeated }: Bought<Evaluation>,
  now: DecidedCall['now'],
): ToolResult {
  const { decision, transactionId, amount, vendor, remainingBudget, evaluationDetails } = answer
  const facts = {
    isError: false,
    decision,
    repeated,
    transactionId,
    amount,
    vendor,
    remainingBudget,
  }
  if (decision === 'rejected') return { ...facts, ...explainRejection(evaluationDetails) }
  const { flags, missingScope } = answer
  const status = now?.status ?? answer.status
  return {
    ...facts,
    status,
    flags,
    ...(now && { settledAmount: now.settledAmount }),
    ...(missingScope && { missingScope }),
    summary: `${repeated ? repeatedWords(status) : firstWords(status)}${
      missingScope ? ` Your key lacks ${missingScope}, so a person must settle the hold.` : ''
    }`,
  }
}

function firstWords(status: string): string {
  return status === 'held'
    ? 'Approved, and the amount is reserved. Pay now, then call settle_spend with what you paid.'
    : 'Approved, and the amount is taken from the budget. Pay now, once.'
}

function repeatedWords(status: string): string {
  if (status === 'voided' || status === 'expired') {
    return `This purchase was approved before, but its hold is ${status}: no budget is reserved for it any more. Do not pay under it. If you still want to buy and nothing was paid, use a new purchaseId.`
  }
  const words =
    'This purchase was approved before, and nothing more was taken from the budget. Do not pay again if you have paid.'
  return status === 'held' ? `${words} Call settle_spend once you know what you paid.` : words
}
