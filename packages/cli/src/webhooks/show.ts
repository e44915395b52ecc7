import type { FailedRedelivery, WebhookDelivery, WebhookDeliveryDetail } from '@purser/sdk'
import { toPage } from '../output/page.ts'
import { type Column, SHORT, toTable } from '../output/table.ts'

type Attempt = WebhookDeliveryDetail['attemptLog'][number]

const attemptColumns: readonly Column<Attempt>[] = [
  { title: 'TRY', text: ({ number }) => number, align: 'right' },
  { title: 'STARTED', text: ({ startedAt }) => startedAt },
  { title: 'OUTCOME', text: ({ outcome }) => outcome },
  { title: 'HTTP', text: ({ response }) => response?.status, align: 'right' },
  { title: 'MS', text: ({ durationMs }) => durationMs, align: 'right' },
  { title: 'ERROR', text: ({ error }) => error?.message, shrinksTo: SHORT },
]

/** Formats a delivery, with its attempts if the answer has them. */
export function toDeliveryPage(delivery: WebhookDelivery | WebhookDeliveryDetail): string[] {
  const page = toPage([
    ['id', delivery.id],
    ['status', delivery.status],
    ['event', delivery.event],
    ['event id', delivery.eventId],
    ['endpoint', delivery.endpointId],
    ['transaction', delivery.transactionId],
    ['test', delivery.test ? 'yes' : null],
    ['attempts', `${delivery.attempts} of ${delivery.maxAttempts}`],
    ['last status', delivery.lastStatusCode],
    ['last error', delivery.lastError],
    ['next attempt', delivery.nextAttemptAt],
    ['created', delivery.createdAt],
  ])
  const attempts = 'attemptLog' in delivery ? delivery.attemptLog : []
  return attempts.length === 0 ? page : [...page, '', ...toTable(attempts, attemptColumns)]
}

/** Formats the task that sends failed deliveries again. */
export function toTaskPage(task: FailedRedelivery): string[] {
  return toPage([
    ['status', task.status],
    ['deliveries', task.total],
    ['sent', task.sent],
    ['failed', task.failed],
    ['from', task.from],
    ['to', task.to],
    ['started', task.startedAt],
    ['ended', task.endedAt],
  ])
}
