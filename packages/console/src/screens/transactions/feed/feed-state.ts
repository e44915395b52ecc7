import type { ListedTransaction, PurserError, TransactionList } from '@purser/sdk'
import type { LiveEvent } from '../../../data/stream/events.ts'
import type { TransactionQuery } from '../filters/filters.ts'
import { EMPTY_INBOX, type Inbox, isOverfull, sortIn } from './inbox.ts'
import { appendRows, mergeRows, patchRows, type Rows } from './rows.ts'

/** The state that the screen shows. */
export interface FeedState {
  readonly rows: Rows
  readonly total: number
  readonly isTotalExact: boolean
  readonly hasMore: boolean
  /** The first page is on its way. Rows of the filters before stay meanwhile. */
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly error: PurserError | null
  /** How many rows arrived and are not shown. */
  readonly waiting: number
  /** How many rows arrived since the list was opened, for the announcement. */
  readonly arrived: number
  readonly arrivedRejected: number
}

/** The state of the list. Each function of this file makes the next one from it. */
export interface FeedData {
  readonly view: FeedState
  readonly query: TransactionQuery
  readonly cursor: string | null
  readonly inbox: Inbox
  /** The ids of the rows. */
  readonly shown: ReadonlySet<string>
}

/** While a page is open for hours, the list does not grow without end. */
const ROWS_MAX = 10_000

export const START: FeedData = {
  view: {
    ...{ rows: [], total: 0, isTotalExact: true, hasMore: false, isLoading: true },
    ...{ isLoadingMore: false, error: null, waiting: 0, arrived: 0, arrivedRejected: 0 },
  },
  ...{ query: {}, cursor: null, inbox: EMPTY_INBOX, shown: new Set() },
}

export function loading(data: FeedData, query: TransactionQuery): FeedData {
  return { ...withView(data, { isLoading: true, error: null }), query }
}

/** Takes the first page, which has the waiting rows. Events that came meanwhile are sorted in later. */
export function loaded(data: FeedData, page: TransactionList): FeedData {
  const next = withView(data, {
    ...{ rows: page.data, total: page.total, isTotalExact: page.totalIsExact },
    ...{ hasMore: page.hasMore, isLoading: false, isLoadingMore: false, waiting: 0, error: null },
  })
  return { ...next, cursor: page.nextCursor, inbox: EMPTY_INBOX }
}

export function canLoadMore({ view, cursor }: FeedData): boolean {
  return view.hasMore && !view.isLoading && !view.isLoadingMore && cursor !== null
}

export function appended(data: FeedData, page: TransactionList): FeedData {
  const rows = appendRows(data.view.rows, page.data)
  const next = withView(data, { rows, hasMore: page.hasMore, isLoadingMore: false, error: null })
  return { ...next, cursor: page.nextCursor }
}

/** After a failed first page, rows of the filters before would look like the answer: they go. */
export function failed(data: FeedData, error: PurserError | null, isFirst: boolean): FeedData {
  const next = withView(data, { isLoading: false, isLoadingMore: false, error })
  if (!isFirst) return next
  const nothing = { rows: [], total: 0, isTotalExact: true, hasMore: false, waiting: 0 }
  return { ...withView(next, nothing), cursor: null, inbox: EMPTY_INBOX }
}

/** Sorts events in: new rows wait, shown rows change in place. */
export function received(
  data: FeedData,
  events: readonly LiveEvent[],
): { readonly data: FeedData; readonly stale: ReadonlySet<string> } {
  const { view, query, shown } = data
  const { inbox, rejected, patches, stale } = sortIn(data.inbox, events, query, shown)
  const rows = patchRows(view.rows, patches)
  const isSame = rows === view.rows && inbox.count === data.inbox.count
  if (isSame) return { data, stale }
  const next = withView(data, {
    ...{ rows, waiting: inbox.count },
    arrived: view.arrived + inbox.count - data.inbox.count,
    arrivedRejected: view.arrivedRejected + rejected,
  })
  return { data: { ...next, inbox }, stale }
}

/** Whether the rows that wait can be shown without asking the gateway. */
export function canInsert({ inbox, view }: FeedData): boolean {
  return !isOverfull(inbox) && view.rows.length <= ROWS_MAX
}

/** Puts the rows that wait above the others. */
export function inserted(data: FeedData): FeedData {
  const { view, inbox } = data
  const rows = mergeRows(view.rows, [...inbox.waiting.values()])
  const next = withView(data, { rows, total: view.total + inbox.count, waiting: 0 })
  return { ...next, inbox: EMPTY_INBOX }
}

/**
 * The newest page after a gap in the stream: known rows change, new ones wait. If the page does not
 * reach the rows that are shown, more are missing than it has.
 */
export function caughtUp(data: FeedData, page: TransactionList): FeedData {
  const { view, inbox, shown } = data
  const isKnown = ({ transactionId }: ListedTransaction) => shown.has(transactionId)
  const waiting = new Map(inbox.waiting)
  for (const row of page.data) if (!isKnown(row)) waiting.set(row.transactionId, row)
  const isApart = page.hasMore && view.rows.length > 0 && !page.data.some(isKnown)
  const count = Math.max(inbox.count, waiting.size + (isApart ? 1 : 0))
  const rows = mergeRows(view.rows, page.data.filter(isKnown))
  // Rows that wait are not part of the total until they are shown.
  const next = withView(data, { rows, waiting: count })
  return { ...next, inbox: { waiting, count } }
}

/** A row that changed in a way that the stream does not tell. */
export function replaced(data: FeedData, row: ListedTransaction): FeedData {
  const { evaluationDetails, ...rest } = row
  const shown = data.view.rows.find(({ transactionId }) => transactionId === row.transactionId)
  // The drawer reads each transaction that it shows, and most of them did not change.
  if (!shown || isSame(shown, { ...shown, ...rest })) return data
  return withView(data, { rows: patchRows(data.view.rows, new Map([[row.transactionId, rest]])) })
}

export function withView(data: FeedData, change: Partial<FeedState>): FeedData {
  const view = { ...data.view, ...change }
  const isSame = view.rows === data.view.rows
  const shown = isSame ? data.shown : new Set(view.rows.map(({ transactionId }) => transactionId))
  return { ...data, view, shown }
}

function isSame(a: ListedTransaction, b: ListedTransaction): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
