import type { CallOptions } from '../client/call.ts'
import { NotFoundError, PurserError } from '../client/errors.ts'
import { readText } from '../client/lines.ts'
import { resume } from '../client/open-stream.ts'
import type { Settings } from '../client/options.ts'
import { createSseParser } from '../client/sse-parser.ts'
import type { Event, EventKind } from '../generated/types/index.ts'

/** Where a stream of events begins. */
export interface EventStreamOptions {
  /**
   * The id of the last event that you processed: the stream goes on after it. `oldest` begins with
   * the oldest event that the gateway stores. Default: the stream begins with the next event.
   */
  readonly after?: string
  /** Only events of this kind. */
  readonly event?: EventKind
}

/** The place before the first event of every feed. */
const OLDEST = `evt_${'0'.repeat(32)}`

/**
 * Yields events in the order of the feed, each once and without a gap, for as long as the caller
 * reads. It reconnects after the last event that it yielded. It ends when the signal is aborted, and
 * with an error if the gateway refuses.
 */
export async function* streamEvents(
  settings: Settings,
  { after, event }: EventStreamOptions = {},
  options: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<Event> {
  let place = after === 'oldest' ? OLDEST : after
  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
    const parser = createSseParser(place)
    for await (const text of readText(body)) {
      for (const { id, data } of parser.push(text)) {
        place = id
        yield JSON.parse(data) as Event
      }
      place = parser.lastEventId || place
    }
  }
  const request = () => ({
    method: 'GET',
    path: '/events',
    query: { event, cursor: place },
    accept: 'text/event-stream',
  })
  try {
    yield* resume(settings, { request, read, isEndless: true }, options)
  } catch (error) {
    throw isRemoved(error) ? whereToGoOn(error) : error
  }
}

function isRemoved(error: unknown): error is PurserError {
  return PurserError.is(error) && error.code === 'event_removed'
}

function whereToGoOn(error: PurserError): PurserError {
  const detail = `${error.detail} With this client: pass \`after: 'oldest'\`.`
  return new NotFoundError(detail, { ...error, cause: error })
}
