import type { Approval, Transaction, WebhookDelivery } from '@purser/sdk'
import { formatMoney } from '../../words/money.ts'
import type { StoryPoint } from './story-point.ts'

/** The answers of people, the spend that used the approval, or the time until which it waits. */
export function approvalPoints(
  approval: Approval | undefined,
  { transactionId, currency }: Transaction,
): readonly StoryPoint[] {
  if (!approval) return []
  const href = `/approvals/${approval.id}`
  const decided = approval.decisions.map(
    ({ decision, actor, maxAmount, decidedAt }, index): StoryPoint => ({
      key: `approval-${index}`,
      kind: decision === 'approve' ? 'said_yes' : 'said_no',
      at: decidedAt,
      text:
        decision === 'approve'
          ? `${actor.name} approved up to ${formatMoney(maxAmount ?? approval.amount, currency)}.`
          : `${actor.name} rejected the request.`,
      link: { text: 'Approval', href },
    }),
  )
  const isOwn = approval.transactionId === transactionId
  if (approval.status === 'pending') {
    const link = { text: 'Open the approval', href }
    const text = 'Waits for a person until then.'
    const at = approval.expiresAt
    return [...decided, { key: 'approval', kind: 'waiting', at, text, link, isPlanned: true }]
  }
  if (approval.status === 'expired' && decided.length === 0) {
    const text = 'No person answered in time.'
    const link = { text: 'Approval', href }
    return [{ key: 'approval', kind: 'expired', at: approval.expiresAt, text, link }]
  }
  const used = approval.permit?.transactionId
  if (isOwn && used && used !== transactionId) {
    const link = { text: 'the later spend', href: `/transactions/${used}` }
    const at = approval.permit.usedAt
    return [...decided, { key: 'used', kind: 'approved', at, text: 'Used by', link }]
  }
  return decided
}

/** The state of one webhook delivery about the transaction. */
export function deliveryPoint(delivery: WebhookDelivery): StoryPoint {
  const { id, status, attempts, maxAttempts, lastStatusCode, lastAttemptAt, createdAt } = delivery
  const href = `/settings/webhook/${id}`
  const answer = lastStatusCode === null ? 'no answer' : String(lastStatusCode)
  const at = lastAttemptAt ?? createdAt
  const name = delivery.event.split('.').at(-1) ?? ''
  if (status === 'succeeded') {
    const text = `Your webhook accepted “${name}”:`
    return { key: id, kind: 'delivered', at, text, link: { text: answer, href } }
  }
  if (status === 'canceled') {
    const text = `The webhook URL was removed before “${name}” was sent.`
    return { key: id, kind: 'undelivered', at, text, link: { text: 'Delivery', href } }
  }
  if (attempts === 0) {
    const text = `“${name}” waits for its first delivery attempt.`
    return { key: id, kind: 'waiting', at: null, text, link: { text: 'Delivery', href } }
  }
  const isOver = status === 'failed'
  return {
    ...{ key: id, kind: 'undelivered', at },
    text: isOver
      ? `Your webhook never accepted “${name}”:`
      : `Your webhook did not accept “${name}” yet:`,
    link: { text: `${answer}, attempt ${attempts} of ${Math.max(attempts, maxAttempts)}`, href },
  }
}

/** Points that are still to come: the next delivery attempt, and the end of a hold. */
export function plannedPoints(
  { status, expiresAt }: Transaction,
  deliveries: readonly WebhookDelivery[],
): readonly StoryPoint[] {
  const next = deliveries.find(({ nextAttemptAt, attempts }) => nextAttemptAt && attempts > 0)
  const retry: StoryPoint | null = next
    ? {
        ...{ key: 'retry', kind: 'waiting', at: next.nextAttemptAt, isPlanned: true },
        text: `Delivery attempt ${next.attempts + 1}`,
      }
    : null
  const end: StoryPoint | null =
    status === 'held' && expiresAt !== null
      ? { key: 'end', kind: 'expired', at: expiresAt, text: 'The hold expires', isPlanned: true }
      : null
  return [retry, end].filter((point) => point !== null)
}
