import { type TSchema, Type } from 'typebox'
import { EVENT_KINDS, type EventKind, isStandardKind } from '../../core/events/event.ts'
import { SAMPLES } from '../../core/events/sample-event.ts'
import { EVENT_SHAPES } from './event-shapes.ts'
import { EXAMPLE_TIME, exampleId } from './examples.ts'
import { inPascalCase, type WrittenDocument } from './map-schemas.ts'
import { publicId, Timestamp } from './schemas.ts'

/** An event of the feed, whose kind says what its data holds. */
export const FeedEvent = oneOfKinds('Event', (kind) =>
  Type.Object(
    {
      id: publicId('evt', 'an event'),
      ...envelope(kind),
      test: Type.Boolean({ description: 'Whether it was asked for with POST /webhooks/test.' }),
    },
    { title: `${inPascalCase(kind)}Event`, description: `${EVENT_SHAPES[kind].when}.` },
  ),
)

function oneOfKinds(title: string, toSchema: (kind: EventKind) => TSchema): TSchema {
  return {
    title,
    description:
      'Decide by `event`. These are the kinds of this version. A client must ignore an event of a kind that it does not know, because a later version can send one.',
    oneOf: EVENT_KINDS.map(toSchema),
    discriminator: { propertyName: 'event' },
  }
}

function envelope(kind: EventKind) {
  return { event: Type.Literal(kind), timestamp: Timestamp, data: EVENT_SHAPES[kind].data }
}

/** Adds what the gateway sends to the URL of an organization, one entry for each kind of event. */
export function withWebhooks(document: WrittenDocument): WrittenDocument {
  const webhooks = EVENT_KINDS.map((kind) => [kind, { post: webhookOf(kind) }])
  return { ...document, webhooks: Object.fromEntries(webhooks) }
}

function webhookOf(kind: EventKind) {
  const { when } = EVENT_SHAPES[kind]
  const told = isStandardKind(kind)
    ? 'Sent unless the organization has chosen other kinds.'
    : 'Sent only where the organization has chosen this kind (`webhookEvents`).'
  const name = inPascalCase(kind)
  return {
    operationId: `on${name}`,
    summary: when,
    description: `${told} The same event can come twice: \`webhook-id\` tells.`,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: Type.Object(envelope(kind), { title: `${name}Webhook`, description: `${when}.` }),
          example: { event: kind, timestamp: EXAMPLE_TIME, data: SAMPLES[kind] },
        },
      },
    },
    responses: {
      '2XX': { description: 'The event has arrived. The body is not read.' },
      default: { description: 'The event is sent again later, up to the last retry.' },
    },
  }
}

const HEADERS = [
  header('webhook-id', {
    description: 'The id of the event, the same in every attempt.',
    example: exampleId('evt'),
  }),
  header('webhook-timestamp', {
    description: 'When the attempt was signed, in seconds since 1970.',
    example: '1794735000',
  }),
  header('webhook-signature', {
    description:
      'As in Standard Webhooks. Several with a blank between while an earlier secret is valid.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
  header('x-service-signature', {
    description: 'HMAC-SHA256 of the body with the whole secret, in hex.',
    example: 'a8c0f2a4d4b6a1f4d5c4ab1f0ad4fbd3ef1ba4cb6a70f39d9b6e1b5bf2f8c111',
  }),
  header('purser-tree-head', {
    description: 'The last signed state of the audit log, in Base64. Absent until there is one.',
    required: false,
  }),
]

function header(
  name: string,
  { required = true, ...said }: { description: string; example?: string; required?: boolean },
) {
  return { name, in: 'header', required, schema: { type: 'string' }, ...said }
}
