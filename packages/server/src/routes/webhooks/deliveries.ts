import { Type } from 'typebox'
import { SAMPLES } from '../../core/events/sample-event.ts'
import { publicIdPattern } from '../../core/id.ts'
import type { App } from '../../http/app.ts'
import { exampleId } from '../../http/document/examples.ts'
import {
  fromPublicId,
  nullable,
  PagingFields,
  pageSchema,
  publicId,
  toPage,
  toPageRequest,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import { getOrganization } from '../../storage/organizations.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import { listAttempts } from '../../storage/webhooks/attempts.ts'
import type { DeliveryRow } from '../../storage/webhooks/deliveries.ts'
import { storeEvents } from '../../storage/webhooks/events.ts'
import { listDeliveries } from '../../storage/webhooks/list-deliveries.ts'
import { queueAgain, queueFor } from '../../storage/webhooks/queue.ts'
import {
  beginTask,
  DeliveryOrTask,
  FAILED,
  FailedRedelivery,
  planTask,
  RedeliveryRequest,
  readTask,
  refuseRange,
  stopTask,
} from './failed-redelivery.ts'
import { readEventIds, requireDelivery, withUrl } from './named-deliveries.ts'
import { EndpointId, endpointFilter, requireEndpoint } from './require-endpoint.ts'
import {
  Delivery,
  DeliveryStatusName,
  EventKindName,
  toDeliveryDetail,
  toDeliveryShape,
} from './shape.ts'

interface WebhookParts {
  readonly db: Database
  readonly write: Write
  readonly sealer: Sealer
  readonly clock: DatabaseClock
  readonly maxAttempts: number
  /** Called after something was queued. */
  readonly wakeDispatcher: () => void
  /** Called after a task has begun. */
  readonly wakeRedeliveries: () => void
}

const Params = Type.Object({
  id: Type.String({
    pattern: `${publicIdPattern('dlv')}|^${FAILED}$`,
    description:
      'The id of the delivery, or `failed` for the task that sends all failed deliveries again.',
    examples: [exampleId('dlv')],
  }),
})
const TransactionId = publicId('txn', 'the transaction')
const EventId = publicId('evt', 'the event')

export function webhookRoutes(
  app: App,
  { db, write, sealer, clock, maxAttempts, wakeDispatcher, wakeRedeliveries }: WebhookParts,
): void {
  const toShape = (organizationId: string, row: DeliveryRow) =>
    toDeliveryShape(organizationId, row, maxAttempts)

  app.route({
    method: 'GET',
    url: '/webhooks/deliveries',
    schema: {
      operationId: 'listDeliveries',
      summary: 'List webhook deliveries, newest first',
      description:
        "With a filter by `status` (except `failed`), `event`, `test` or time, one page searches the next 20,000 deliveries. It can therefore have fewer entries than `limit`, or none, and still a `nextCursor`: continue until it is null. `total` then counts only the first page's search, and `totalIsExact` is false.",
      tags: ['Webhooks'],
      querystring: Type.Object(
        {
          ...PagingFields,
          status: Type.Optional({
            ...DeliveryStatusName,
            description: 'Only deliveries with this status.',
          }),
          event: Type.Optional({
            ...EventKindName,
            description: 'Only deliveries of this kind of event.',
          }),
          transactionId: Type.Optional({
            ...TransactionId,
            description:
              'Only deliveries of events about this transaction: its decision, its outcome, its approval and the budget events that it raised.',
          }),
          eventId: Type.Optional({ ...EventId, description: 'Only the deliveries of this event.' }),
          endpointId: Type.Optional({
            ...EndpointId,
            description: 'Only deliveries to this endpoint.',
          }),
          test: Type.Optional(
            Type.Boolean({
              description: 'Only deliveries of test events (true) or of real events (false).',
            }),
          ),
          ...timesOf('deliveries of events created'),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Delivery) },
    },
    config: { scope: 'webhooks:read' },
    handler: async ({ organizationId, query, timezone }) => {
      const { status, event, test: isTest } = query
      const times = readTimes(query, timezone)
      const eventIds = await readEventIds(db, organizationId, query)
      const endpointId = endpointFilter(organizationId, query.endpointId)
      const filter = { status, kind: event, ...times, eventIds, isTest, endpointId }
      const page = await listDeliveries(db, organizationId, filter, toPageRequest(query))
      return toPage(page, (row) => toShape(organizationId, row))
    },
  })

  app.route({
    method: 'GET',
    url: '/webhooks/deliveries/:id',
    schema: {
      operationId: 'getDelivery',
      summary: 'Get one delivery with all attempts, requests and responses',
      description:
        'With the id `failed`, returns the last task that sends failed deliveries again, and its progress.',
      tags: ['Webhooks'],
      params: Params,
      response: { 200: DeliveryOrTask },
    },
    config: { scope: 'webhooks:read', problems: ['delivery_not_found', 'event_removed'] },
    handler: async ({ organizationId, params }) => {
      if (params.id === FAILED) return readTask(db, organizationId)
      const delivery = await requireDelivery(db, organizationId, params.id)
      const attempts = await listAttempts(db, organizationId, delivery.id)
      const whole = attempts.map((attempt) => withUrl(sealer, organizationId, attempt))
      return toDeliveryDetail(organizationId, delivery, whole, maxAttempts)
    },
  })

  app.route({
    method: 'POST',
    url: '/webhooks/deliveries/:id/redeliver',
    schema: {
      operationId: 'redeliver',
      summary: 'Send an event again',
      description:
        'Sends the same body and webhook-id with a new signature to the current URL of its endpoint, once. Retries that are still scheduled continue until one attempt succeeds. With the id `failed`, starts a task that sends the failed deliveries of a range again, oldest first and a few at a time. The task continues after a restart of the gateway; GET /webhooks/deliveries/failed shows its progress.',
      tags: ['Webhooks'],
      params: Params,
      body: nullable(RedeliveryRequest),
      response: { 200: Delivery, 202: FailedRedelivery },
    },
    config: {
      scope: 'webhooks:write',
      problems: [
        ...(['delivery_not_found', 'event_removed', 'webhook_not_configured'] as const),
        ...(['webhook_endpoint_not_found', 'redelivery_running'] as const),
      ],
    },
    handler: async (request, reply) => {
      const { organizationId, params, body, timezone } = request
      if (params.id === FAILED) {
        const plan = await planTask(db, organizationId, body ?? {}, timezone, await clock(db))
        const task = await write(request, reply, async (tx) => {
          const at = await clock(tx)
          if (body?.stop) return stopTask(tx, organizationId, at)
          await requireEndpoint(tx, organizationId)
          return beginTask(tx, organizationId, plan, at)
        })
        wakeRedeliveries()
        return reply.code(202).send(task)
      }
      refuseRange(body)
      const answer = await write(request, reply, async (tx) => {
        const delivery = await requireDelivery(tx, organizationId, params.id)
        const endpointId = delivery.endpointId ?? organizationId
        const [at] = await Promise.all([clock(tx), requireEndpoint(tx, organizationId, endpointId)])
        await tx.query(queueAgain(organizationId, newId(at), delivery, at))
        return toShape(organizationId, delivery)
      })
      wakeDispatcher()
      return answer
    },
  })

  app.route({
    method: 'POST',
    url: '/webhooks/test',
    schema: {
      operationId: 'sendTestEvent',
      summary: 'Send a test event of any kind',
      description:
        'The event has sample data. The gateway delivers and retries it like any other event.',
      tags: ['Webhooks'],
      body: Type.Object(
        {
          event: EventKindName,
          endpointId: Type.Optional({
            ...EndpointId,
            description:
              'The endpoint that gets the event, whatever kinds it has chosen. Default: the first one.',
          }),
        },
        { additionalProperties: false, examples: [{ event: 'transaction.approved' }] },
      ),
      response: { 200: Delivery },
    },
    config: {
      scope: 'webhooks:write',
      problems: ['webhook_not_configured', 'webhook_endpoint_not_found'],
    },
    handler: async (request, reply) => {
      const { organizationId, body } = request
      const answer = await write(request, reply, async (tx) => {
        const asked = body.endpointId && fromPublicId('whe', body.endpointId)
        const [at, endpointId, { webhookKinds }] = await Promise.all([
          clock(tx),
          requireEndpoint(tx, organizationId, asked),
          getOrganization(tx, organizationId),
        ])
        const sample = JSON.stringify(SAMPLES[body.event])
        const event = { ...NO_SUBJECT, id: newId(at), kind: body.event, sample }
        const isFirst = endpointId === organizationId
        const id = isFirst ? event.id : newId(at)
        // With several endpoints the entry names its own, so that the others do not get the event.
        const lane = { organizationId, endpointId: webhookKinds === null ? null : endpointId }
        // This comes after the response is stored under its idempotency key, because decisions lock
        // the key before the feed.
        tx.sendLast(storeEvents(organizationId, at, [event]))
        tx.sendLast(queueFor(lane, { id, eventId: event.id }, at))
        const delivery = { id, eventId: event.id, endpointId: isFirst ? null : endpointId }
        const times = { nextAttemptAt: at, createdAt: at }
        return toShape(organizationId, { ...UNTRIED, ...event, ...delivery, ...times })
      })
      wakeDispatcher()
      return answer
    },
  })
}

/** The fields that a test event has instead of an agent and a budget. */
const NO_SUBJECT = {
  transactionId: null,
  agentId: null,
  mandateId: null,
  budgetTotal: null,
  budgetSpent: null,
  outcome: null,
}

/** A delivery that was queued just now. */
const UNTRIED = {
  status: 'pending',
  attempts: 0,
  lastAttemptAt: null,
  lastStatusCode: null,
  lastError: null,
  isTest: true,
  body: null,
} as const
