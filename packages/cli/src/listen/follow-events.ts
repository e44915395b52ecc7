import type { ReadableStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import { describeFailure } from './network-failure.ts'
import { type Gateway, openStream } from './open-stream.ts'
import { createSilenceLimit, type SilenceLimit } from './silence-limit.ts'
import { createSseParser, type SseMessage } from './sse-parser.ts'

interface Following {
  readonly gateway: Gateway
  /** Stops following. */
  readonly signal: AbortSignal
  /**
   * The gateway sends something every 15 s, so a connection that is silent for this long is dead.
   */
  readonly silenceMsMax?: number
  /**
   * Called with the id of the event after which the stream continues; empty if there is none yet.
   */
  readonly onConnected: (after: string) => void
  readonly onBroken: (reason: string, retryInMs: number) => void
}

interface Place {
  /** The id of the last event that was passed on. */
  after: string
  /** The number of consecutive failed attempts to connect. */
  failures: number
}

const SILENCE_MS_MAX = 45_000
const RETRY_MS = 2_000
const RETRY_MS_MAX = 30_000

/**
 * Yields the events of an organization from now on, in the order of the feed. If the stream breaks,
 * reconnects after the last event that was passed on, as often as necessary: each event comes once,
 * and after the first one none is missing. Throws if the gateway refuses.
 */
export async function* followEvents(following: Following): AsyncGenerator<SseMessage> {
  const { signal, onBroken } = following
  const place = { after: '', failures: 0 }
  while (!signal.aborted) {
    const reason = yield* followOnce(following, place)
    if (signal.aborted) return
    const retryInMs = Math.min(RETRY_MS * 2 ** place.failures, RETRY_MS_MAX)
    place.failures += 1
    onBroken(reason, retryInMs)
    // An abort during the wait is not an error; the loop checks for it.
    await wait(retryInMs, undefined, { signal }).catch(() => {})
  }
}

/** Follows one connection to its end, and returns the reason of the end. */
async function* followOnce(
  { gateway, signal, silenceMsMax = SILENCE_MS_MAX, onConnected }: Following,
  place: Place,
): AsyncGenerator<SseMessage, string> {
  const silence = createSilenceLimit(silenceMsMax)
  const ending = AbortSignal.any([signal, silence.signal])
  try {
    const stream = await silence.during(openStream(gateway, place.after, ending))
    if (stream.kind === 'refused') throw new Error(stream.message)
    if (stream.kind === 'unavailable') return silence.reason() ?? stream.reason
    place.failures = 0
    onConnected(place.after)
    return yield* readMessages(stream.body, silence, place, signal)
  } finally {
    silence.endConnection()
  }
}

async function* readMessages(
  body: ReadableStream<Uint8Array>,
  silence: SilenceLimit,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<SseMessage, string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parser = createSseParser(place.after)
  for (;;) {
    const piece = await silence.during(reader.read()).catch(describeFailure)
    if (typeof piece === 'string') return silence.reason() ?? piece
    if (piece.done) return 'it ended the stream'
    for (const message of parser.push(decoder.decode(piece.value, { stream: true }))) {
      place.after = message.id
      yield message
      // Check now, because the chunk may contain a hundred more events.
      if (signal.aborted) return 'it was stopped'
    }
    place.after = parser.lastEventId
  }
}
