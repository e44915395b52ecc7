import { Problem } from '../../base/errors.ts'
import type { Part } from '../../base/lifecycle.ts'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { type Loop, startLoop } from '../../base/loop.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Submission } from '../../gateway/submission.ts'
import { newId } from '../../storage/new-id.ts'
import type { Asked } from './asked.ts'
import type { CardRequest } from './issuers/issuer.ts'
import { keepUnjudged, requestFact } from './keep-request.ts'
import type { RequestFact } from './ledger/facts.ts'
import { keyOf } from './ledger/record.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import type { OpenedConnection } from './registry/connection.ts'
import type { NoteHealth } from './registry/note-health.ts'

const TRY_AGAIN_MS = 1_000
/** Bounds the memory while the store is unavailable. */
const OPEN_MAX = 10_000

interface BookUnjudgedParts {
  readonly gateway: Pick<Gateway, 'record'>
  readonly health: Pick<NoteHealth, 'note'>
  readonly now: () => Instant
  readonly log: Log
}

/** A request that is approved without being judged. */
interface Unjudged {
  readonly connection: OpenedConnection
  readonly request: CardRequest
  readonly receivedAt: number
  readonly asked: Asked
}

export interface BookUnjudged extends Part {
  /** Returns the fact for the issuer's answer at once, and books it in the background. */
  book(unjudged: Unjudged): RequestFact
}

interface Open {
  readonly connection: OpenedConnection
  readonly submission: Submission
  /** Whether an attempt has failed and was logged, so that the operator gets one line only. */
  isTold: boolean
}

/**
 * Books requests that were approved because the store was too slow to judge them. The money moves, so a
 * failed booking is retried once a second until it succeeds. If the process dies first, the issuer's
 * own event about the approval books it.
 */
export function createBookUnjudged({ gateway, health, now, log }: BookUnjudgedParts): BookUnjudged {
  const open = new Set<Open>()
  const underWay = new Map<Open, Promise<void>>()
  let loop: Loop | undefined

  /** The idempotency key makes all attempts one booking, even if the result of one of them was lost. */
  function attempt(entry: Open): Promise<void> {
    const trying = gateway
      .record(entry.submission)
      .then(() => {
        open.delete(entry)
        health.note(entry.connection, { what: 'ungoverned' })
      })
      .catch((err: unknown) => failed(entry, err))
      .finally(() => underWay.delete(entry))
    underWay.set(entry, trying)
    return trying
  }

  function failed(entry: Open, err: unknown): void {
    const fields = { err, connectionId: entry.connection.id }
    if (!isPassing(err) || open.size > OPEN_MAX) {
      open.delete(entry)
      logEvent(log, CARD_LOG_EVENTS['card.unjudged_abandoned'], fields)
      return
    }
    if (!entry.isTold) {
      logEvent(log, CARD_LOG_EVENTS['card.unjudged_pending'], fields)
    }
    entry.isTold = true
    loop ??= startLoop({
      run: tryAll,
      everyMs: TRY_AGAIN_MS,
      failed: (error) =>
        logEvent(log, CARD_LOG_EVENTS['card.unjudged_round_failed'], { err: error }),
    })
  }

  /** Starts all attempts at once, so that they share batches. */
  async function tryAll(): Promise<void> {
    await Promise.all([...open].map((entry) => underWay.get(entry) ?? attempt(entry)))
  }

  return {
    book({ connection, request, receivedAt, asked }) {
      const spend = { ...asked.spend, transactionId: newId(now()) }
      const approved = requestFact(request, spend.amount, true, spend.transactionId)
      const fact = { ...approved, isUnjudged: true } as const
      const submission: Submission = {
        spend,
        reason: null,
        metadata: null,
        idempotency: keyOf(connection.id, `unjudged:${request.requestId}`),
        noted: asked.noted,
        alongside: (row) => keepUnjudged(row, fact, { request, asked, at: now() }),
        receivedAt,
      }
      const entry = { connection, submission, isTold: false }
      open.add(entry)
      void attempt(entry)
      return fact
    },
    async stop() {
      await loop?.stop()
      await Promise.all(underWay.values())
      await tryAll()
      if (open.size > 0) {
        logEvent(log, CARD_LOG_EVENTS['card.unjudged_at_stop'], { payments: open.size })
      }
    },
  }
}

/** Whether the same attempt may succeed later. */
function isPassing(error: unknown): boolean {
  return error instanceof Problem && PASSING.has(error.code)
}

const PASSING: ReadonlySet<string> = new Set([
  'storage_unavailable',
  'storage_full',
  'store_moved',
  'store_restored',
  'idempotency_in_flight',
  'overloaded',
])
