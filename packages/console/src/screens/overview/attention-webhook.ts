import type { WebhookDelivery } from '@purser/sdk'
import { countOf } from '../../words/text.ts'
import { formatSpan } from '../../words/time.ts'
import type { Attention } from './attention-item.ts'

/** The deliveries of the last 24 hours. */
export interface WebhookFacts {
  readonly failed: number
  /** Endpoints that the gateway has paused, because every attempt failed for five days. */
  readonly paused?: number
  readonly lastFailed: WebhookDelivery | undefined
  readonly lastSucceeded: WebhookDelivery | undefined
  /** The newest delivery that waits for a further attempt. */
  readonly retrying: WebhookDelivery | undefined
}

/** Whether events arrive. A webhook that works again is told apart from one that still fails. */
export function webhookAttention(facts: WebhookFacts | undefined, now: Date): Attention | null {
  const last = facts?.lastFailed ?? facts?.retrying
  if (!facts || !last) return null
  const { failed, retrying } = facts
  const hasRecovered = (facts.lastSucceeded?.lastAttemptAt ?? '') > (last.lastAttemptAt ?? '')
  const count = countOf(failed, 'delivery', 'deliveries')
  const search = { status: failed > 0 ? 'failed' : 'pending' }
  const link = { to: '/settings/webhook', search }
  const common = { kind: 'webhook', verb: 'View deliveries', link } as const
  if (!hasRecovered) {
    const answer = last.lastStatusCode === null ? '' : `, the last one with ${last.lastStatusCode}`
    const what =
      failed > 0
        ? `${count} failed within 24 hours${answer}.`
        : `The newest delivery had ${countOf(last.attempts, 'attempt')}${answer}.`
    const text = what + nextAttempt(retrying, now)
    return { ...common, tone: 'no', title: 'Your webhook is failing.', text }
  }
  if (failed === 0) return null
  return {
    ...{ ...common, tone: 'ask', title: `${count} failed within 24 hours.` },
    text: 'Your webhook works again. You can send the failed ones again.',
  }
}

/** Paused endpoints come before single failures: nothing is sent to them until a person acts. */
export function pausedAttention(facts: WebhookFacts | undefined): Attention | null {
  const paused = facts?.paused ?? 0
  if (paused === 0) return null
  const isOne = paused === 1
  return {
    ...{ kind: 'webhook', tone: 'no', verb: 'View endpoints', link: { to: '/settings/webhook' } },
    title: `${countOf(paused, 'webhook endpoint')} ${isOne ? 'is' : 'are'} paused.`,
    text: 'Every attempt failed for five days. The events wait, and are not lost.',
  }
}

function nextAttempt(retrying: WebhookDelivery | undefined, now: Date): string {
  if (!retrying?.nextAttemptAt) return ''
  const wait = new Date(retrying.nextAttemptAt).getTime() - now.getTime()
  return wait > 0 ? ` Next attempt in ${formatSpan(wait)}.` : ''
}
