import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { type EventKind, envelopeOf, type StoredEvent } from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import type { FeedSignal } from '../../http/feed-signal.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { whenOver } from '../../http/limits/when-over.ts'
import type { Database } from '../../storage/engine/database.ts'
import { type FeedPlace, readFeed } from '../../storage/webhooks/read-events.ts'
import { openHints } from './hints.ts'

/** The longest delay before a stream sends events of another process. */
const POLL_MS = 1_000
/** Proxies close a connection that is silent for a minute. */
export const HEARTBEAT_MS = 15_000
const EVENTS_AT_ONCE = 100
/** Each stream costs a connection and a query a second. */
export const STREAMS_MAX = 500
export const STREAMS_PER_ORGANIZATION_MAX = 50
export const STREAMS_PER_KEY_MAX = 20

export interface EventStreams {
  open(request: FastifyRequest, reply: FastifyReply, from: StreamStart): FastifyReply
  /** Ends every stream. Clients reconnect to another process and continue where they were. */
  stop(): void
}

interface StreamStart {
  readonly place: FeedPlace
  /** Whether the client has named the place, as one does that was cut off. */
  readonly isResumed: boolean
  readonly kinds: readonly EventKind[] | undefined
}

interface StreamParts {
  readonly db: Database
  readonly feed: FeedSignal
  readonly watch: WatchPrincipal
  readonly now: () => Instant
}

/**
 * Sends events as server-sent events, and reads them only as fast as the client takes them. A stream
 * ends with the key that opened it.
 */
export function createEventStreams(parts: StreamParts): EventStreams {
  const open = new Map<AbortController, string>()
  const atOnce = createAtOnce({ most: STREAMS_PER_KEY_MAX, of: 'event streams' })
  return {
    open(request, reply, from) {
      const { organizationId } = request
      const own = [...open.values()].filter((id) => id === organizationId).length
      if (open.size >= STREAMS_MAX || own >= STREAMS_PER_ORGANIZATION_MAX) {
        throw new Problem('overloaded', 'Too many event streams are open. Retry later.', {
          retryAfterSeconds: 5,
        })
      }
      atOnce.hold(request, reply)
      const ending = new AbortController()
      open.set(ending, organizationId)
      const stream = Readable.from(follow(parts, request, from, ending.signal), {
        objectMode: false,
      })
      const unwatch = parts.watch(request.principal, () => {
        // A client that reads nothing would keep the stream open, so its connection is closed.
        if (reply.raw.writableNeedDrain) reply.raw.destroy()
        ending.abort()
      })
      stream.once('close', () => {
        unwatch()
        open.delete(ending)
        ending.abort()
      })
      // A generator that waits for events does not notice that its client has left, so the signal ends
      // the wait.
      whenOver(request, reply, () => ending.abort())
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(stream as never)
    },
    stop() {
      for (const ending of open.keys()) ending.abort()
    },
  }
}

async function* follow(
  { db, feed, now }: StreamParts,
  { organizationId, principal }: FastifyRequest,
  { place, kinds, isResumed }: StreamStart,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const news = createBell(signal)
  const unfollow = feed.follow(organizationId, news.ring)
  let after = place.number
  let spokeAt = performance.now()
  try {
    // Only the console needs hints.
    const parts = { db, now, organizationId, kinds, isResumed }
    const hints = principal.kind === 'member' ? await openHints(parts) : undefined
    // Sends the position in the feed, so that a client that is cut off before the first event can also
    // continue.
    yield `retry: 2000\nid: ${toPublicId('evt', place.id)}\n\n`
    while (!signal.aborted) {
      const read = await readFeed(db, organizationId, after, kinds, EVENTS_AT_ONCE)
      const { events } = read
      after = read.lookedTo
      const text = events.map(toMessage).join('') + ((await hints?.read()) ?? '')
      // The key may have been revoked in the meantime.
      if (signal.aborted) return
      if (text !== '') {
        spokeAt = performance.now()
        yield text
        continue
      }
      if (performance.now() - spokeAt >= HEARTBEAT_MS) {
        spokeAt = performance.now()
        yield ': still here\n\n'
      }
      // A search that has to go on does not wait for news.
      if (!read.searchedTo) await news.wait(POLL_MS)
    }
  } finally {
    unfollow()
  }
}

/** The data is exactly the body that a webhook would have. */
function toMessage(event: StoredEvent): string {
  const id = toPublicId('evt', event.id)
  return `id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(envelopeOf(event))}\n\n`
}

/** A signal to wait for. It may fire before anyone waits. */
function createBell(signal: AbortSignal): { ring(): void; wait(ms: number): Promise<void> } {
  let hasRung = false
  let answer: (() => void) | undefined
  const ring = (): void => {
    hasRung = true
    answer?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    async wait(ms) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          answer = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      answer = undefined
      hasRung = false
    },
  }
}
