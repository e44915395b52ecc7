import type { ListedTransaction, PurserError, TransactionList } from '@purser/sdk'
import type { LiveEvent } from '../../../data/stream/events.ts'
import type { TransactionQuery } from '../filters/filters.ts'
import {
  appended,
  canInsert,
  canLoadMore,
  caughtUp,
  type FeedData,
  failed,
  inserted,
  loaded,
  loading,
  received,
  replaced,
  START,
  withView,
} from './feed-state.ts'
import { WAITING_MAX } from './inbox.ts'

export type { FeedState } from './feed-state.ts'

interface FeedDeps {
  readonly readPage: (query: TransactionQuery, cursor: string | null) => Promise<TransactionList>
  readonly readOne: (id: string) => Promise<ListedTransaction>
  readonly asError: (error: unknown) => PurserError | null
  /** Whether new rows may be put above the others now: nothing may move under the pointer. */
  readonly mayInsert: () => boolean
  /** Runs before the next picture is drawn. */
  readonly schedule: (run: () => void) => void
}

/** One frame sorts in at most this many events, so that it stays short. */
const BATCH = 1_000
/** So many single transactions are asked for again after hints. The next page load has the rest. */
const STALE_MAX = 8

/** The list of transactions: pages from the gateway, merged by id with events of the stream. */
export function createFeed({ readPage, readOne, asError, mayInsert, schedule }: FeedDeps) {
  const { subscribe, tell } = createListeners()
  let data = START
  let turn = 0
  let events: LiveEvent[] = []
  let isPlanned = false
  /** Events may be missing that the page on its way does not have. */
  let isBehind = false

  function set(next: FeedData): void {
    if (next === data) return
    data = next
    tell()
  }
  /** Answers to questions about earlier filters are ignored. */
  async function read(cursor: string | null, apply: typeof loaded, isQuiet = false): Promise<void> {
    const mine = turn
    try {
      const page = await readPage(data.query, cursor)
      if (mine === turn) set(apply(data, page))
    } catch (error) {
      if (mine === turn && !isQuiet) set(failed(data, asError(error), cursor === null))
    }
  }
  async function load(query: TransactionQuery = data.query): Promise<void> {
    turn += 1
    set(loading(data, query))
    await read(null, loaded)
    if (events.length > 0) plan()
    if (isBehind) await catchUp()
  }
  async function more(): Promise<void> {
    if (!canLoadMore(data)) return
    set(withView(data, { isLoadingMore: true }))
    await read(data.cursor, appended)
  }
  function plan(): void {
    if (isPlanned || data.view.isLoading) return
    isPlanned = true
    schedule(flush)
  }
  function flush(): void {
    isPlanned = false
    if (data.view.isLoading) return
    const { data: next, stale } = received(data, events.slice(0, BATCH))
    events = events.slice(BATCH)
    for (const id of [...stale].slice(0, STALE_MAX)) readOne(id).then(replace, () => {})
    const isShown = next.inbox.count > 0 && mayInsert() && canInsert(next)
    set(isShown ? inserted(next) : next)
    if (!isShown) settle()
    if (events.length > 0) plan()
  }
  function show(): void {
    if (data.inbox.count === 0) return
    if (canInsert(data)) set(inserted(data))
    else void load()
  }
  /** Shows rows that wait, if they may move the others now. */
  function settle(): void {
    if (data.inbox.count > 0 && mayInsert()) show()
  }
  /** After a gap in the stream, or without one: the newest page is merged. */
  async function catchUp(): Promise<void> {
    isBehind = data.view.isLoading
    if (!isBehind) await read(null, caughtUp, true).then(settle)
  }
  function replace(row: ListedTransaction): void {
    set(replaced(data, row))
  }

  return {
    ...{ load, more, show, settle, replace, catchUp, subscribe },
    receive: (event: LiveEvent) => {
      if (!event.kind.startsWith('transaction.')) return
      events.push(event)
      // A hidden page draws nothing, so nothing sorts the events in meanwhile.
      if (events.length > WAITING_MAX * 10) events = events.slice(-WAITING_MAX)
      plan()
    },
    state: () => data.view,
  }
}

function createListeners() {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell() {
      for (const listener of listeners) listener()
    },
  }
}

export type Feed = ReturnType<typeof createFeed>
