import { type Static, Type } from 'typebox'
import { STANDARD_KINDS } from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import { ENDPOINTS_MAX, statusOf, type WebhookEndpoint } from '../../core/webhook-endpoint.ts'
import { nullable, open, publicId, timeWhen, toTimestamp } from '../../http/document/schemas.ts'
import { EventKindName } from '../webhooks/shape.ts'

const Id = publicId('whe', 'the endpoint')
const URL_MEANING = 'The URL of your server that receives the events.'
const Url = Type.String({
  format: 'http-url',
  maxLength: 2_048,
  description: URL_MEANING,
  examples: ['https://hooks.example.com/purser'],
})
const events = {
  uniqueItems: true,
  description: 'The kinds of events to send to this endpoint. Default: the first four kinds.',
  examples: [['transaction.approved', 'transaction.rejected']],
}
/** In this order, because the list of an agent's statuses has a name of its own. */
const Status = Type.Enum(['paused', 'active'], {
  type: 'string',
  description:
    'While an endpoint is `paused`, its deliveries wait; nothing is dropped. Setting `active` sends them, oldest first.',
})

const Shown = Type.Object(
  {
    id: Id,
    url: Url,
    events: Type.Array(open(EventKindName), events),
    status: Status,
    pausedReason: nullable(
      Type.Enum(['requested', 'failing'], {
        type: 'string',
        description:
          '`requested`: a caller paused the endpoint. `failing`: the gateway paused it, because every attempt failed for five days. Null while it is active.',
      }),
    ),
    pausedAt: nullable(timeWhen('When the endpoint was paused', 'Null while it is active.')),
    failingSince: nullable(
      timeWhen(
        'When the first attempt failed since the last one that succeeded',
        'Null if the last attempt succeeded, or if there was none.',
      ),
    ),
    secretHint: Type.String({ description: "The first characters of the endpoint's secret." }),
    secretRotatedAt: timeWhen('When the secret was last rotated'),
    previousSecretValidUntil: nullable(
      timeWhen(
        'Until when `webhook-signature` also has a signature with the previous secret',
        'Null if only the current secret is used.',
      ),
    ),
    secret: Type.Optional(
      Type.String({
        description:
          'The secret of a new endpoint. Only the response that creates the endpoint shows it: store it where your receiver can read it.',
      }),
    ),
  },
  { title: 'WebhookEndpoint' },
)

/** The list in a response. */
export const WebhookEndpoints = Type.Array(Shown, {
  maxItems: ENDPOINTS_MAX,
  description:
    'All webhook endpoints. The first one has the URL in `webhookUrl`, and is absent while that is null.',
})

const Input = Type.Object(
  {
    id: Type.Optional({
      ...Id,
      description: 'The id of the endpoint to change. Without it, a new endpoint is created.',
    }),
    url: Type.Optional({
      ...Url,
      description: `${URL_MEANING} Required for a new endpoint.`,
    }),
    events: Type.Optional(Type.Array(EventKindName, events)),
    status: Type.Optional(Status),
  },
  { additionalProperties: false, title: 'WebhookEndpointInput' },
)

/** The list in a request. */
export const WebhookEndpointsInput = Type.Array(Input, {
  maxItems: ENDPOINTS_MAX,
  description:
    'The whole list of webhook endpoints, at most 10. An entry with an `id` changes that endpoint, and omitted fields keep their values. An entry without one creates an endpoint, and the response shows its secret. Endpoints that are not in the list are removed, and their waiting deliveries become `canceled`. Cannot be combined with `webhookUrl` and `webhookEvents`, which are the first endpoint.',
  examples: [[{ url: 'https://hooks.example.com/audit', events: ['transaction.rejected'] }]],
})

export type EndpointInput = Static<typeof Input>
export type EndpointShape = Static<typeof Shown>

/** `secret` is only given in the response that creates the endpoint. */
export function toEndpointShape(
  endpoint: WebhookEndpoint,
  now: Instant,
  secret?: string,
): EndpointShape {
  const { id, url, isPaused, pausedAt, previousSecretUntil: until } = endpoint
  return {
    id: toPublicId('whe', id),
    url,
    events: [...(endpoint.events ?? STANDARD_KINDS)],
    status: statusOf(endpoint),
    pausedReason: pausedAt === null ? null : isPaused ? 'requested' : 'failing',
    pausedAt: toTimestamp(pausedAt),
    failingSince: toTimestamp(endpoint.failingSince),
    secretHint: endpoint.secretHint,
    secretRotatedAt: toTimestamp(endpoint.secretRotatedAt),
    previousSecretValidUntil: until !== null && now < until ? toTimestamp(until) : null,
    ...(secret !== undefined && { secret }),
  }
}

/**
 * The endpoints as change records have them: without the first one, whose URL and events are fields of
 * the organization, unless a person has paused it. Absent if there are none, so that records of
 * organizations with one endpoint stay as they were.
 */
export function toldEndpoints(
  organizationId: string,
  endpoints: readonly WebhookEndpoint[],
): { readonly webhookEndpoints?: readonly unknown[] } {
  const told = endpoints
    .filter(({ id, isPaused }) => id !== organizationId || isPaused)
    .map(({ id, url, events, isPaused }) => ({
      id: toPublicId('whe', id),
      url,
      events: events ?? STANDARD_KINDS,
      status: isPaused ? 'paused' : 'active',
    }))
  return told.length === 0 ? {} : { webhookEndpoints: told }
}
