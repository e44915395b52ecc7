import { PurserError } from '../client/errors.ts'
import type { Evaluation } from '../generated/types/index.ts'
import { signalOf } from './own.ts'
import type { Bought } from './purchase.ts'
import { explainRejection } from './rejection.ts'
import type { ToolClient, ToolContext, ToolResult } from './types.ts'

/** The result of a decision on a purchase that the agent pays by itself. */
export async function decidedResult(
  purser: ToolClient,
  bought: Bought<Evaluation>,
  context: ToolContext,
): Promise<ToolResult> {
  const { answer, repeated } = bought
  const { decision, transactionId, amount, vendor, remainingBudget, evaluationDetails } = answer
  const facts = {
    isError: false,
    ...{ decision, repeated, transactionId, amount, vendor, remainingBudget },
  }
  if (decision === 'rejected') return { ...facts, ...explainRejection(evaluationDetails) }
  const { flags, missingScope } = answer
  const now = await holdNow(purser, bought, context)
  const { status } = now
  return {
    ...facts,
    ...now,
    flags,
    ...(missingScope && { missingScope }),
    summary: `${repeated ? repeatedWords(status) : firstWords(status)}${
      missingScope ? ` Your key lacks ${missingScope}, so a person must settle the hold.` : ''
    }`,
  }
}

interface HoldNow {
  readonly status: string
  readonly settledAmount?: number
}

/** A repeated answer says that the amount is held, as it was then. The hold may have ended since. */
async function holdNow(
  purser: ToolClient,
  { answer, repeated }: Bought<Evaluation>,
  context: ToolContext,
): Promise<HoldNow> {
  if (!repeated || answer.status !== 'held') return { status: answer.status }
  try {
    const transaction = await purser.transactions.get(answer.transactionId, signalOf(context))
    return { status: transaction.status, settledAmount: transaction.settledAmount }
  } catch (error) {
    if (PurserError.is(error) && error.status === 403) return { status: 'unknown' }
    throw error
  }
}

function firstWords(status: string): string {
  return status === 'held'
    ? 'Approved, and the amount is reserved. Pay now, then call settle_spend with what you paid.'
    : 'Approved, and the amount is taken from the budget. Pay now, once.'
}

function repeatedWords(status: string): string {
  switch (status) {
    case 'voided':
    case 'expired':
      return `This purchase was approved before, but its hold is ${status}: no budget is reserved for it any more. Do not pay under it. If you still want to buy and nothing was paid, use a new purchaseId.`
    case 'unknown':
      return 'This purchase was approved before, but your key cannot read whether its hold still stands. Do not pay before a person has checked.'
    case 'held':
      return `${REPEATED} Call settle_spend once you know what you paid.`
    default:
      return REPEATED
  }
}

const REPEATED =
  'This purchase was approved before, and nothing more was taken from the budget. Do not pay again if you have paid.'
