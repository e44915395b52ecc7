import type { WebhookAttempt, WebhookDeliveryDetail } from '@purser/sdk'
import { Check, Clock, Loader, X } from 'lucide-react'
import { Timeline, type TimelinePoint } from '../../../parts/timeline.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { duration, ordinal } from './delivery-words.ts'

/** Every attempt, newest first, and the next one if it is planned. */
export function Attempts({ delivery }: { readonly delivery: WebhookDeliveryDetail }) {
  const { attemptLog, nextAttemptAt } = delivery
  const next: readonly TimelinePoint[] =
    nextAttemptAt === null
      ? []
      : [
          {
            ...{ key: 'next', icon: Clock, at: nextAttemptAt, isPlanned: true },
            text: attemptLog.length === 0 ? 'First attempt, planned' : 'Next attempt, planned',
          },
        ]
  return <Timeline label="Attempts" points={[...next, ...attemptLog.toReversed().map(toPoint)]} />
}

const LOOKS = {
  succeeded: { icon: Check, tone: 'ok' },
  started: { icon: Loader, tone: undefined },
  failed: { icon: X, tone: 'no' },
  interrupted: { icon: X, tone: 'no' },
} as const

function toPoint(attempt: WebhookAttempt): TimelinePoint {
  return {
    ...LOOKS[attempt.outcome],
    key: String(attempt.number),
    at: attempt.startedAt,
    text: <AttemptText attempt={attempt} />,
  }
}

function AttemptText({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { number, outcome, trigger, error, response } = attempt
  const answer = response?.status ?? error?.class.replaceAll('_', ' ')
  const note =
    outcome === 'interrupted'
      ? 'The gateway stopped during this attempt. Your server may have received it.'
      : error?.message
  return (
    <>
      <b>{ordinal(number)}</b> {answer === undefined ? null : <Tag>{answer}</Tag>}{' '}
      <span className="text-ink-3">
        {outcome === 'started' ? 'under way' : duration(attempt)}
        {trigger === 'manual' ? ' · sent by hand' : ''}
      </span>
      {note === undefined ? null : <span className="block text-small text-ink-2">{note}</span>}
    </>
  )
}
