import { type TSchema, Type } from 'typebox'
import { EVENT_KINDS, type EventKind, isStandardKind } from '../../core/events/event.ts'
import { SAMPLES } from '../../core/events/sample-event.ts'
import { EVENT_SHAPES } from './event-shapes.ts'
import { EXAMPLE_TIME, exampleId } from './examples.ts'
import { inPascalCase, type WrittenDocument } from './map-schemas.ts'
import { publicId, timeWhen } from './schemas.ts'

/** An event of the feed. Its kind determines the shape of its data. */
export const FeedEvent = oneOfKinds('Event', (kind) =>
  Type.Object(
    {
      id: publicId('evt', 'the event'),
      ...envelope(kind),
      test: Type.Boolean({
        description: 'True if this is a test event, sent with POST /webhooks/test.',
      }),
    },
    { title: `${inPascalCase(kind)}Event`, description: `${EVENT_SHAPES[kind].when}.` },
  ),
)

function oneOfKinds(title: string, toSchema: (kind: EventKind) => TSchema): TSchema {
  return {
    title,
    description:
      'An event. The field `event` names its kind and so the shape of `data`. New kinds may be added, so a client must ignore kinds that it does not know.',
    oneOf: EVENT_KINDS.map(toSchema),
    discriminator: { propertyName: 'event' },
  }
}

function envelope(kind: EventKind) {
  return {
    event: Type.Literal(kind, { description: 'The kind of event.' }),
    timestamp: timeWhen('When the event happened'),
    data: EVENT_SHAPES[kind].data,
  }
}

/** Adds the webhooks that the gateway sends, one entry per kind of event. */
export function withWebhooks(document: WrittenDocument): WrittenDocument {
  const webhooks = EVENT_KINDS.map((kind) => [kind, { post: webhookOf(kind) }])
  return { ...document, webhooks: Object.fromEntries(webhooks) }
}

function webhookOf(kind: EventKind) {
  const { when } = EVENT_SHAPES[kind]
  const told = isStandardKind(kind)
    ? 'Sent by default, unless `webhookEvents` of the organization leaves it out.'
    : 'Sent only if `webhookEvents` of the organization contains it.'
  const name = inPascalCase(kind)
  return {
    operationId: `on${name}`,
    summary: when,
    description: `${told} The same event can arrive more than once; use \`webhook-id\` to deduplicate.`,
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
      '2XX': { description: 'Acknowledges the event. The gateway ignores the response body.' },
      default: { description: 'The gateway retries the delivery later, until the last retry.' },
    },
  }
}

const HEADERS = [
  header('webhook-id', {
    description: 'The id of the event. Every attempt carries the same id.',
    example: exampleId('evt'),
  }),
  header('webhook-timestamp', {
    description: 'When the gateway signed this attempt, as a Unix timestamp in seconds.',
    example: '1794735000',
  }),
  header('webhook-signature', {
    description:
      'The signature as defined by Standard Webhooks. While a previous secret is still valid, there is one signature per secret, separated by a space.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
  header('x-service-signature', {
    description:
      'HMAC-SHA256 of the body, keyed with the whole secret (including `whsec_`), in hex.',
    example: 'a8c0f2a4d4b6a1f4d5c4ab1f0ad4fbd3ef1ba4cb6a70f39d9b6e1b5bf2f8c111',
  }),
  header('purser-tree-head', {
    description:
      'The latest checkpoint (signed state) of the audit log, in Base64. Absent until the log has one.',
    required: false,
  }),
]

function header(
  name: string,
  { required = true, ...said }: { description: string; example?: string; required?: boolean },
) {
  return { name, in: 'header', required, schema: { type: 'string' }, ...said }
}
