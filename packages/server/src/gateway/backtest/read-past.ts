import { idAt, instantOf } from '../../core/id.ts'
import type { PastDecision } from '../../core/replay/past-decision.ts'
import type { Instant } from '../../core/time/instant.ts'
import { readClockGap } from '../../storage/clock-gaps.ts'
import { readHistory } from '../../storage/decisions/history.ts'
import type { Database } from '../../storage/engine/database.ts'
import { transactionFor } from '../../storage/engine/queryable.ts'
import { hasTimedOut } from '../../storage/engine/storage-error.ts'

/** So many are read in one query: it holds a connection for milliseconds, and taking it in is a short turn. */
const ROWS_AT_ONCE = 50
/** Of all agents together, so that memory stays bounded: where they are many, each has fewer. */
const ROWS_READ_MAX = 10_000
/** A query ends in less than a second. One that others hold up is tried again for half a minute. */
const TRIES_MAX = 40
/**
 * An id is made when a spend arrives, and its commit comes later. Ids of several processes agree to far
 * less than this.
 */
const IDS_APART_MS = 5_000
/** More than are decided while a spend waits. Beyond it the oldest goes first. */
const WAITING_MAX = 50_000

/** The past of one agent, as far as it was read. */
interface Source {
  readonly agentId: string
  rows: readonly PastDecision[]
  next: number
  afterId: string
  isRead: boolean
}

/**
 * The transactions of these agents in the order of their commits, page by page. Storage has them in the
 * order of their ids, so each waits until all are read that may have been committed before it. What is
 * committed after `to` has no part in it. Between two queries there is always a page, though it may be
 * empty, so that whoever reads can stop.
 */
export async function* readPast(
  db: Database,
  organizationId: string,
  agentIds: readonly string[],
  to: Instant,
): AsyncGenerator<readonly PastDecision[]> {
  const perAgent = Math.min(ROWS_AT_ONCE, Math.ceil(ROWS_READ_MAX / agentIds.length))
  const gapMs = await readClockGap(db, organizationId)
  const range = { beforeId: idAt(to + gapMs), perAgent }
  const sources: Source[] = agentIds.map((agentId) => {
    return { agentId, rows: [], next: 0, afterId: idAt(0), isRead: false }
  })
  const read = (some: readonly Source[]) =>
    transactionFor(db, organizationId, (tx) => readHistory(tx, organizationId, some, range))
  let waiting: PastDecision[] = []

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

/** Reads further rows of these, some agents at once, with an empty page between two queries. */
async function* fill(
  empty: readonly Source[],
  perAgent: number,
  read: (some: readonly Source[]) => Promise<readonly PastDecision[]>,
): AsyncGenerator<readonly PastDecision[]> {
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

function refill(source: Source, rows: readonly PastDecision[], limit: number): void {
  source.rows = rows.filter(({ agentId }) => agentId === source.agentId).sort(byId)
  source.next = 0
  source.isRead = source.rows.length < limit
  source.afterId = source.rows.at(-1)?.id ?? source.afterId
}

/** Up to here everything is read: the first end of a page that has more after it. */
function smallestEnd(sources: readonly Source[]): string | undefined {
  let smallest: string | undefined
  for (const { isRead, afterId } of sources) {
    if (!isRead && (smallest === undefined || afterId < smallest)) smallest = afterId
  }
  return smallest
}

/** How many of those that wait were committed before everything that is not read yet. */
function countOfReady(waiting: readonly PastDecision[], last: string | undefined): number {
  if (last === undefined) return waiting.length
  const until = instantOf(last) - IDS_APART_MS
  const ready = waiting.findIndex(({ createdAt }) => createdAt > until)
  return Math.max(ready === -1 ? waiting.length : ready, waiting.length - WAITING_MAX)
}

function takeTo(source: Source, last: string | undefined): readonly PastDecision[] {
  const { rows, next } = source
  const end = last === undefined ? -1 : rows.findIndex(({ id }, at) => at >= next && id > last)
  source.next = end === -1 ? rows.length : end
  return rows.slice(next, source.next)
}

/** Spends of one batch have one instant, and were judged in the order of their ids. */
function byCommit(a: PastDecision, b: PastDecision): number {
  return a.createdAt - b.createdAt || byId(a, b)
}

function byId(a: PastDecision, b: PastDecision): number {
  return a.id < b.id ? -1 : 1
}
