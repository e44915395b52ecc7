import { idAt, instantOf } from '../../core/id.ts'
import type { RecordedDecision } from '../../core/replay/recorded-decision.ts'
import type { Instant } from '../../core/time/instant.ts'
import { readClockGap } from '../../storage/clock-gaps.ts'
import { readHistory } from '../../storage/decisions/history.ts'
import type { Database } from '../../storage/engine/database.ts'
import { transactionFor } from '../../storage/engine/queryable.ts'
import { hasTimedOut } from '../../storage/engine/storage-error.ts'

/**
 * The number of rows per query: it holds a connection for milliseconds, and processing is a short
 * turn.
 */
const ROWS_AT_ONCE = 50
/**
 * The limit for all agents together, which bounds memory: with many agents, each has fewer rows.
 */
const ROWS_READ_MAX = 10_000
/** A query ends in less than a second. A query that times out is retried for half a minute. */
const TRIES_MAX = 40
/**
 * An id is made when a spend arrives, and its commit comes later. The id clocks of several
 * processes differ by far less than this.
 */
const IDS_APART_MS = 5_000
/** More than are decided while a spend waits. Beyond this limit the oldest is replayed first. */
const WAITING_MAX = 50_000

/** The past of one agent, as far as it has been read. */
interface Source {
  readonly agentId: string
  rows: readonly RecordedDecision[]
  next: number
  afterId: string
  isRead: boolean
}

/**
 * Yields the transactions of these agents in the order of their commits, page by page. Storage
 * returns them in the order of their ids, so each one waits until all that may have been committed
 * before it are read. Transactions committed after `to` are left out, and nearly all from before
 * `since`. There is always a page
 * between two queries, possibly empty, so that the reader can stop.
 */
export async function* readHistoryPages(
  db: Database,
  organizationId: string,
  agentIds: readonly string[],
  to: Instant,
  since: Instant = 0,
): AsyncGenerator<readonly RecordedDecision[]> {
  const perAgent = Math.min(ROWS_AT_ONCE, Math.ceil(ROWS_READ_MAX / agentIds.length))
  const gapMs = await readClockGap(db, organizationId)
  const range = { beforeId: idAt(to + gapMs), perAgent }
  const afterId = idAt(Math.max(0, since - gapMs))
  const sources: Source[] = agentIds.map((agentId) => {
    return { agentId, rows: [], next: 0, afterId, isRead: false }
  })
  const read = (some: readonly Source[]) =>
    transactionFor(db, organizationId, (tx) => readHistory(tx, organizationId, some, range))
  let waiting: RecordedDecision[] = []

  for (;;) {
    yield* fill(sources.filter(isEmpty), perAgent, read)
    const last = smallestEnd(sources)
    for (const source of sources) waiting.push(...takeTo(source, last))
    waiting.sort(byCommit)
    const count = countOfReady(waiting, last)
    yield waiting.slice(0, count).filter(({ createdAt }) => createdAt <= to)
    waiting = waiting.slice(count)
    if (last === undefined) return
  }
}

/** Reads further rows for these agents, several at once, with an empty page between two queries. */
async function* fill(
  empty: readonly Source[],
  perAgent: number,
  read: (some: readonly Source[]) => Promise<readonly RecordedDecision[]>,
): AsyncGenerator<readonly RecordedDecision[]> {
  const agentsAtOnce = Math.floor(ROWS_AT_ONCE / perAgent)
  let tries = 0
  for (let from = 0; from < empty.length; ) {
    if (from + tries > 0) yield []
    const some = empty.slice(from, from + agentsAtOnce)
    try {
      const rows = await read(some)
      for (const source of some) refill(source, rows, perAgent)
      from += agentsAtOnce
      tries = 0
    } catch (error) {
      tries += 1
      if (tries === TRIES_MAX || !hasTimedOut(error)) throw error
    }
  }
}

function isEmpty({ isRead, next, rows }: Source): boolean {
  return !isRead && next === rows.length
}

function refill(source: Source, rows: readonly RecordedDecision[], limit: number): void {
  source.rows = rows.filter(({ agentId }) => agentId === source.agentId).sort(byId)
  source.next = 0
  source.isRead = source.rows.length < limit
  source.afterId = source.rows.at(-1)?.id ?? source.afterId
}

/** Everything up to this id has been read: the smallest last id among agents with unread rows. */
function smallestEnd(sources: readonly Source[]): string | undefined {
  let smallest: string | undefined
  for (const { isRead, afterId } of sources) {
    if (!isRead && (smallest === undefined || afterId < smallest)) smallest = afterId
  }
  return smallest
}

/** Counts the waiting transactions that were committed before all unread ones. */
function countOfReady(waiting: readonly RecordedDecision[], last: string | undefined): number {
  if (last === undefined) return waiting.length
  const until = instantOf(last) - IDS_APART_MS
  const ready = waiting.findIndex(({ createdAt }) => createdAt > until)
  return Math.max(ready === -1 ? waiting.length : ready, waiting.length - WAITING_MAX)
}

function takeTo(source: Source, last: string | undefined): readonly RecordedDecision[] {
  const { rows, next } = source
  const end = last === undefined ? -1 : rows.findIndex(({ id }, at) => at >= next && id > last)
  source.next = end === -1 ? rows.length : end
  return rows.slice(next, source.next)
}

/** Spends of one batch share one instant, and were judged in the order of their ids. */
function byCommit(a: RecordedDecision, b: RecordedDecision): number {
  return a.createdAt - b.createdAt || byId(a, b)
}

function byId(a: RecordedDecision, b: RecordedDecision): number {
  return a.id < b.id ? -1 : 1
}
