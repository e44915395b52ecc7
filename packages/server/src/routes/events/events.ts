import { Type } from 'typebox'
import { Problem, refusedParameter } from '../../base/errors.ts'
import {
  type Envelope,
  EVENT_KINDS,
  type EventKind,
  envelopeOf,
  type StoredEvent,
} from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import { exampleId } from '../../http/document/examples.ts'
import { fromPublicId, publicId, toTimestamp } from '../../http/document/schemas.ts'
import { FeedEvent } from '../../http/document/webhooks.ts'
import type { FeedSignal } from '../../http/feed-signal.ts'
import type { Database } from '../../storage/engine/database.ts'
import { findRemoval } from '../../storage/retention.ts'
import {
  type FeedPlace,
  findEventNumber,
  findLastEvent,
  readFeed,
} from '../../storage/webhooks/read-events.ts'
import { EVENT_EXAMPLE } from '../webhooks/examples.ts'
import { EventKindName } from '../webhooks/shape.ts'
import { createEventStreams } from './stream.ts'

const EventId = publicId('evt', 'the event')

const IN_FEED = { id: exampleId('evt'), ...EVENT_EXAMPLE, test: false }
const IN_STREAM = `id: ${IN_FEED.id}\nevent: ${IN_FEED.event}\ndata: ${JSON.stringify(EVENT_EXAMPLE)}\n\n`

interface EventShape extends Envelope {
  readonly id: string
  readonly test: boolean
}

const Event = Type.Unsafe<EventShape>(FeedEvent)

const EventList = Type.Object(
  {
    data: Type.Array(Event, { description: 'The events of this page, oldest first.' }),
    hasMore: Type.Boolean({ description: 'Whether more events follow now.' }),
    nextCursor: Type.Union([EventId, Type.Null()], {
      description: 'Pass this value as `cursor` to get the events that follow.',
    }),
  },
  { title: 'EventList' },
)

const Query = Type.Object(
  {
    cursor: Type.Optional({
      ...EventId,
      description: 'The id of the last event that you received. Returns the events after it.',
    }),
    event: Type.Optional(
      Type.Union([EventKindName, Type.String({ pattern: '^[a-z_.]+(?:,[a-z_.]+){1,19}$' })], {
        description: 'Only events of this kind, or of these kinds, separated by commas.',
        examples: ['transaction.rejected,mandate.budget.warning'],
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'How many events a page has.',
    }),
  },
  { additionalProperties: false },
)

interface EventParts {
  readonly db: Database
  readonly feed: FeedSignal
  readonly watch: WatchPrincipal
  readonly now: () => Instant
}

export function eventRoutes(app: App, { db, feed, watch, now }: EventParts): void {
  const streams = createEventStreams({ db, feed, watch, now })
  app.addHook('preClose', async () => streams.stop())

  app.route({
    method: 'GET',
    url: '/events',
    schema: {
      operationId: 'listEvents',
      summary: 'Read the event feed, oldest first, or follow it as a stream',
      description:
        'Events come in the order in which they were committed, and the feed skips none. With `event`, one page searches the next 50,000 events, so it can have fewer events than `limit`, or none, while `hasMore` is true. Without a `cursor`, it begins with the oldest stored event (see `retention` of the organization). For a rejection whose details were removed, `reason` is null and `reasons` is empty. With `Accept: text/event-stream`, the response is a stream that begins after `Last-Event-ID` or `cursor`, or with the next event, and stays open. The stream of a signed-in member also has hints: `event: hint` without an `id`, whose `data` names the `kind` of a change and its `subject`, and often its `transactionId`. A hint says that something has changed: `change.*` for a change record, `change.webhook.endpoint_health` for an endpoint that fails, works again or was paused, `delivery.attempted` and `delivery.ended` for webhook deliveries, and the event kinds that `webhookEvents` does not name. Hints can get lost: after `event: gap`, read again what you show.',
      tags: ['Webhooks'],
      querystring: Query,
      response: {
        200: {
          description: 'A page of events, or a stream of events.',
          content: {
            'application/json': {
              schema: EventList,
              example: { data: [IN_FEED], hasMore: false, nextCursor: IN_FEED.id },
            },
            'text/event-stream': { schema: Type.String(), example: IN_STREAM },
          },
        },
      },
    },
    config: {
      scope: 'webhooks:read',
      problems: ['event_not_found', 'event_removed', 'overloaded'],
      mayStream: true,
    },
    handler: async (request, reply) => {
      const { organizationId, query, headers } = request
      const kinds = readKinds(query.event)
      if (headers.accept?.includes('text/event-stream')) {
        const seenId = readSeen(headers['last-event-id']) ?? query.cursor
        const last = async () => (await findLastEvent(db, organizationId)) ?? BEGINNING
        const place = await (seenId === undefined ? last() : findPlace(db, organizationId, seenId))
        const isResumed = seenId !== undefined
        return streams.open(request, reply, { place, kinds, isResumed })
      }
      const { cursor, limit } = query
      const place = cursor === undefined ? BEGINNING : await findPlace(db, organizationId, cursor)
      const found = await readFeed(db, organizationId, place.number, kinds, limit + 1)
      const { events, searchedTo } = found
      const page = events.slice(0, limit)
      return {
        data: page.map(toEventShape),
        hasMore: events.length > limit || searchedTo !== undefined,
        nextCursor: cursorBehind(searchedTo ?? page.at(-1)) ?? cursor ?? null,
      }
    },
  })
}

function readKinds(text: string | undefined): readonly EventKind[] | undefined {
  return text?.split(',').map((kind) => {
    if (isEventKind(kind)) return kind
    throw refusedParameter('event', `must name kinds of events; ${kind} is none`)
  })
}

function isEventKind(text: string): text is EventKind {
  return EVENT_KINDS.some((kind) => kind === text)
}

function cursorBehind(last: Pick<StoredEvent, 'id'> | undefined): string | undefined {
  return last && toPublicId('evt', last.id)
}

async function findPlace(db: Database, organizationId: string, seenId: string): Promise<FeedPlace> {
  const id = fromPublicId('evt', seenId)
  if (id === BEGINNING.id) return BEGINNING
  const number = await findEventNumber(db, organizationId, id)
  if (number !== undefined) return { id, number }
  const removedBefore = await findRemoval(db, organizationId, id)
  if (removedBefore === undefined) throw eventNotFound(seenId)
  throw new Problem(
    'event_removed',
    `Retention has removed the events before ${toTimestamp(removedBefore)}, so events after the cursor may be missing. Continue without a cursor, from the oldest event that is stored.`,
  )
}

/**
 * The position before the first event of every organization. A stream that starts on an empty feed
 * gets this id.
 */
const BEGINNING: FeedPlace = { id: '00000000-0000-0000-0000-000000000000', number: 0n }

/**
 * A browser repeats the last id that it received. Any text that is not one of our ids names no event.
 */
function readSeen(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined
  if (!/^evt_[0-9a-f]{32}$/.test(header)) throw eventNotFound(header.slice(0, 40))
  return header
}

function eventNotFound(id: string): Problem {
  return new Problem(
    'event_not_found',
    `Event ${JSON.stringify(id)} does not exist, so the list cannot continue after it.`,
  )
}

function toEventShape(event: StoredEvent): EventShape {
  const { event: kind, timestamp, data } = envelopeOf(event)
  return {
    id: toPublicId('evt', event.id),
    event: kind,
    timestamp,
    data,
    test: event.sample !== null,
  }
}
