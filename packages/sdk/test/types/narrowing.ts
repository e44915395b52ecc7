import type {
  ApprovedEvaluation,
  Evaluation,
  Event,
  Introspection,
  RejectedEvaluation,
  Rule,
  RuleInput,
  X402Payment,
} from '../../src/generated/types/index.ts'
import {
  type Purser,
  PurserError,
  SpendRejectedError,
  type StreamedEvent,
} from '../../src/index.ts'
import type { WebhookEvent } from '../../src/webhooks/index.ts'
import { isType } from './is-type.ts'

/*
 * Unions of the document are told apart by one field. `tsc` checks this file, and nothing runs it; a
 * line after `@ts-expect-error` must be a mistake.
 */

export function readDecision(evaluation: Evaluation): string {
  isType<string | null>()(evaluation.mandateId)
  switch (evaluation.decision) {
    case 'approved':
      isType<ApprovedEvaluation>()(evaluation)
      isType<string>()(evaluation.mandateId)
      return evaluation.transactionId
    case 'rejected':
      isType<RejectedEvaluation>()(evaluation)
      return evaluation.evaluationDetails.message
    default:
      isType<never>()(evaluation)
      return evaluation
  }
}

export async function readSpend(
  purser: Purser,
  input: Parameters<Purser['gateway']['evaluate']>[0],
) {
  const approved = await purser.gateway.evaluate(input).orThrow()
  isType<'approved'>()(approved.decision)
  isType<string>()(approved.mandateId)
  // @ts-expect-error A decision is one of two.
  if (approved.decision === 'perhaps') return
  await purser.gateway.evaluate(input).orThrow().catch(readError)
}

export function readError(error: unknown): string {
  // @ts-expect-error The kind of an error is not known before the check.
  void error.code
  if (error instanceof SpendRejectedError) isType<number | null>()(error.status)
  if (!PurserError.is(error)) return 'other'
  isType<string | null>()(error.idempotencyKey)
  isType<boolean>()(error.outcomeUnknown)
  return `${error.code} ${error.errors.map(({ path }) => path).join()}`
}

export function readEvent(event: Event | StreamedEvent | WebhookEvent): number {
  // @ts-expect-error Only events of transactions have an amount.
  void event.data.amount
  if (event.event === 'transaction.approved') return event.data.amount
  if (event.event === 'mandate.budget.warning') return event.data.percentUsed
  // @ts-expect-error There is no such kind of event.
  return event.event === 'transaction.lost' ? 1 : 0
}

export function readRule(rule: Rule): number | undefined {
  if (rule.type === 'amount') return rule.max ?? undefined
  // @ts-expect-error Other rules have no `max` of this kind.
  void rule.max.toFixed()
  return undefined
}

export const rules: readonly RuleInput[] = [
  { type: 'amount', max: 25 },
  { type: 'vendors', allow: ['*.example.com'] },
  // @ts-expect-error There is no such rule.
  { type: 'weather', max: 25 },
  // @ts-expect-error A setting of a different rule.
  { type: 'amount', allow: ['*.example.com'] },
]

export function readToken(token: Introspection): object | undefined {
  // @ts-expect-error Only an active token has claims.
  void token.claims
  return token.active ? token.claims : undefined
}

export function readPayment(payment: X402Payment): string {
  if (payment.status === 'signed') {
    isType<'approved'>()(payment.decision)
    return payment.transactionId
  }
  if (payment.status === 'rejected') return payment.evaluationDetails.code
  if (payment.status === 'no_payment_required') isType<null>()(payment.decision)
  return payment.status
}
