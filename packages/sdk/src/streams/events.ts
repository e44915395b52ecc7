import type { CallOptions } from '../client/call.ts'
import { NotFoundError, PurserError } from '../client/errors.ts'
import { parseJson, readText, SILENCE_MS_MAX } from '../client/lines.ts'
import { resume } from '../client/open-stream.ts'
import { readNumber, type Settings } from '../client/options.ts'
import { createSseParser } from '../client/sse-parser.ts'
import type { Event, EventKind } from '../generated/types/index.ts'

/** An event of a stream. Its fields are those of a webhook, and its id. */
export type StreamedEvent = WithoutTest<Event>

/** Only the list of events marks test events. */
type WithoutTest<One> = One extends unknown ? Omit<One, 'test'> : never

/** Where a stream of events begins, and what the caller wants to know about its connections. */
export interface EventStreamOptions {
  /**
   * The id of the last event that you processed: the stream goes on after it. `oldest` begins with
   * the oldest event that the gateway stores. Default: the stream begins with the next event.
   */
  readonly after?: string | undefined
  /** Only events of this kind. */
  readonly event?: EventKind | undefined
  /** Called for each connection, with the id after which it goes on; null: with the next event. */
  readonly onConnected?: ((after: string | null) => void) | undefined
  /**
   * Called when a connection failed, or ended (then without an error), with the time until the next
   * one.
   */
  readonly onDisconnected?: ((error: PurserError | null, retryInMs: number) => void) | undefined
  /**
   * How long a connection may be silent before the client opens the next one, in milliseconds. The
   * gateway sends something at least every 15 s. Default: 45,000.
   */
  readonly silenceTimeoutMs?: number | undefined
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
  from: EventStreamOptions = {},
  options: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<StreamedEvent> {
  const { after, event, onConnected, onDisconnected } = from
  const silenceMs = readNumber('silenceTimeoutMs', from.silenceTimeoutMs, SILENCE_MS_MAX, 1)
  let place = after === 'oldest' ? OLDEST : after
  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
    const parser = createSseParser(place)
    for await (const text of readText(body, silenceMs)) {
      for (const { id, data } of parser.push(text)) {
        place = id
        yield { id, ...Object(parseJson(data)) } as StreamedEvent
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
    const stream = {
      ...{ request, read, isEndless: true, answerMsMax: silenceMs, onDisconnected },
      onConnected: () => onConnected?.(place ?? null),
    }
    yield* resume(settings, stream, options)
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
