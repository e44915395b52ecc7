import { type Static, Type } from 'typebox'
import { EVENT_KINDS } from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import { nullable, open, publicId, timeWhen, toTimestamp } from '../../http/document/schemas.ts'
import type { AttemptRow } from '../../storage/webhooks/attempts.ts'
import type { DeliveryRow } from '../../storage/webhooks/deliveries.ts'
import { DELIVERY_DETAIL_EXAMPLE, DELIVERY_EXAMPLE } from './examples.ts'
import { redacted } from './redaction.ts'

export const EventKindName = Type.Enum([...EVENT_KINDS], { type: 'string' })

const ofWebhookEvents = {
  uniqueItems: true,
  description:
    'The kinds of events to send to the webhook URL. Default: the first four kinds. The event feed always has these four; it has other kinds only while they are listed here.',
  examples: [['transaction.approved', 'transaction.rejected', 'transaction.settled']],
}
export const WebhookEvents = Type.Array(EventKindName, ofWebhookEvents)
/** For responses, which can have kinds that a client does not know. */
export const ShownWebhookEvents = Type.Array(open(EventKindName), ofWebhookEvents)

export const DeliveryId = publicId('dlv', 'the delivery')
export const DeliveryStatusName = Type.Enum(['pending', 'succeeded', 'failed', 'canceled'], {
  type: 'string',
  description:
    '`pending`: not acknowledged yet; the gateway will try again, or waits while the endpoint is paused. `succeeded`: your server acknowledged the event. `failed`: every retry has failed. `canceled`: the endpoint was removed before the delivery succeeded.',
})

const deliveryFields = {
  id: DeliveryId,
  eventId: publicId('evt', 'the event, sent in the header webhook-id'),
  endpointId: publicId('whe', 'the endpoint; it may have been removed since'),
  event: open(EventKindName, { description: 'The kind of event. New kinds may be added.' }),
  transactionId: nullable(publicId('txn', 'the transaction that the event is about')),
  test: Type.Boolean({
    description: 'True if this is a test event, sent with POST /webhooks/test.',
  }),
  status: DeliveryStatusName,
  attempts: Type.Integer({ description: 'How many attempts have ended.' }),
  maxAttempts: Type.Integer({
    description:
      'How many attempts the gateway makes by itself: the first one and its retries. Redeliveries that you request come on top.',
  }),
  lastAttemptAt: nullable(timeWhen('When the last attempt began')),
  lastStatusCode: nullable(
    Type.Integer({ description: "The HTTP status of your server's last response." }),
  ),
  lastError: nullable(
    Type.String({
      description: 'Why the last attempt failed. Null if it succeeded or there was none.',
    }),
  ),
  nextAttemptAt: nullable(timeWhen('When the next attempt is due', 'Null if there is none.')),
  createdAt: timeWhen('When the event happened'),
}

export const Delivery = Type.Object(deliveryFields, {
  title: 'WebhookDelivery',
  examples: [DELIVERY_EXAMPLE],
})

const headers = Type.Record(Type.String(), Type.String(), { description: 'The HTTP headers.' })

const Attempt = Type.Object(
  {
    number: Type.Integer({ description: 'The number of the attempt, counted from 1.' }),
    trigger: Type.Enum(['automatic', 'manual'], { type: 'string' }),
    outcome: Type.Enum(['started', 'succeeded', 'failed', 'interrupted'], {
      type: 'string',
      description:
        '`started`: in progress. `succeeded`: your server returned a 2xx status. `failed`: the attempt failed; see `error`. `interrupted`: the gateway stopped before it knew the outcome; does not count as a retry.',
    }),
    startedAt: timeWhen('When the attempt began'),
    durationMs: nullable(Type.Integer({ description: 'The duration in milliseconds.' })),
    error: nullable(
      Type.Object(
        {
          class: Type.String({
            description:
              'The kind of failure: status, redirect, timeout, dns_failed, connect_failed, tls_failed, connection_lost, bad_answer, url_refused or address_refused.',
          }),
          message: Type.String({ description: 'The failure in one sentence.' }),
        },
        { description: 'Why the attempt failed. Null if it did not.' },
      ),
    ),
    remoteAddress: nullable(
      Type.String({ description: 'The IP address that the gateway called.' }),
    ),
    nextAttemptAt: nullable(timeWhen('When the next attempt was due', 'Null if there was none.')),
    request: Type.Object(
      {
        url: Type.String({ description: 'The URL.' }),
        headers,
        body: Type.String({ description: 'The request body.' }),
      },
      {
        description:
          "The request that the gateway sent. Signatures are cut after their first characters, and the URL's query shows only the parameter names.",
      },
    ),
    response: nullable(
      Type.Object(
        {
          status: Type.Integer({ description: 'The HTTP status.' }),
          headers,
          body: Type.String({ description: 'The response body, at most 16 KiB.' }),
          cut: nullable(
            Type.Enum(['size', 'timeout', 'reset'], {
              type: 'string',
              description:
                'Why the body is incomplete. `size`: it is larger than 16 KiB. `timeout`: your server was too slow. `reset`: the connection was closed. Null if the body is complete.',
            }),
          ),
        },
        { description: "Your server's response. Null if there was none." },
      ),
    ),
  },
  { title: 'WebhookAttempt' },
)

export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    attemptLog: Type.Array(Attempt, { description: 'Every attempt, oldest first.' }),
  },
  { title: 'WebhookDeliveryDetail', examples: [DELIVERY_DETAIL_EXAMPLE] },
)

export function toDeliveryShape(
  organizationId: string,
  row: DeliveryRow,
  maxAttempts: number,
): Static<typeof Delivery> {
  return {
    id: toPublicId('dlv', row.id),
    eventId: toPublicId('evt', row.eventId),
    endpointId: toPublicId('whe', row.endpointId ?? organizationId),
    event: row.kind,
    transactionId: row.transactionId === null ? null : toPublicId('txn', row.transactionId),
    test: row.isTest,
    status: row.status,
    attempts: row.attempts,
    maxAttempts,
    lastAttemptAt: toTimestamp(row.lastAttemptAt),
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
    nextAttemptAt: toTimestamp(row.nextAttemptAt),
    createdAt: toTimestamp(row.createdAt),
  }
}

export function toDeliveryDetail(
  organizationId: string,
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
  maxAttempts: number,
): Static<typeof DeliveryDetail> {
  const attemptLog = attempts.map((attempt, index) => toAttemptShape(attempt, index + 1, row.body))
  return { ...toDeliveryShape(organizationId, row, maxAttempts), attemptLog }
}

function toAttemptShape(
  attempt: AttemptRow,
  number: number,
  body: string | null,
): Static<typeof Attempt> {
  const { errorClass, errorMessage, statusCode, responseBody } = attempt
  const shown = redacted({ ...attempt, responseText: responseBody?.toString('utf8') ?? '' })
  return {
    number,
    trigger: attempt.isManual ? 'manual' : 'automatic',
    outcome: attempt.outcome,
    startedAt: toTimestamp(attempt.startedAt),
    durationMs: attempt.durationMs,
    error: errorClass === null ? null : { class: errorClass, message: errorMessage ?? '' },
    remoteAddress: attempt.remoteAddress,
    nextAttemptAt: toTimestamp(attempt.nextAttemptAt),
    request: { url: shown.url, headers: { ...shown.requestHeaders }, body: body ?? '' },
    response:
      statusCode === null
        ? null
        : {
            status: statusCode,
            headers: { ...shown.responseHeaders },
            body: shown.responseText,
            cut: attempt.responseCut as 'size' | 'timeout' | 'reset' | null,
          },
  }
}
