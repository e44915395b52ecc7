import { useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { withProof } from '../../../data/ask-again.ts'
import { purser } from '../../../data/client.ts'
import { readOn } from '../../../data/read-on.ts'
import { LiveContext, useLiveEvents, useLiveState } from '../../../data/stream/use-live.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { asListQuery, type TransactionQuery } from '../filters/filters.ts'
import { createFeed, type Feed, type FeedState } from './feed.ts'

const PAGE = 50
const POLL_MS = 15_000
/** The first list waits for the stream, so that no decision falls between them, but not for long. */
const STREAM_MS = 1_500

/** The list with these filters, kept up to date by the stream. */
export function useFeed(
  query: TransactionQuery,
  mayInsert: () => boolean,
): { readonly feed: Feed; readonly state: FeedState } {
  const latest = useRef(mayInsert)
  useEffect(() => {
    latest.current = mayInsert
  })
  const [feed] = useState(() =>
    createFeed({
      readPage: (filters, cursor) =>
        withProof(
          () =>
            readOn(
              (from) =>
                purser.transactions
                  .list({
                    ...asListQuery(filters),
                    ...{ view: 'summary', limit: PAGE },
                    ...(from === undefined ? {} : { cursor: from }),
                  })
                  .page(),
              cursor ?? undefined,
            ),
          null,
        ),
      readOne: (id) => purser.transactions.get(id),
      asError: asPurserError,
      mayInsert: () => latest.current(),
      schedule: afterPause,
    }),
  )
  const state = useSyncExternalStore(feed.subscribe, feed.state)
  useLiveEvents(feed.receive)
  useCatchUp(feed)
  const isReady = useStreamFirst()
  useLateStream(feed, isReady)
  const key = JSON.stringify(query)
  useEffect(() => {
    if (isReady) void feed.load(JSON.parse(key))
  }, [feed, key, isReady])
  return { feed, state }
}

/** In a burst, the list changes a few times a second. More could not be read. */
const PAUSE_MS = 150
let lastRun = 0

function afterPause(run: () => void): void {
  const wait = Math.max(0, lastRun + PAUSE_MS - performance.now())
  setTimeout(() => {
    lastRun = performance.now()
    requestAnimationFrame(run)
  }, wait)
}

/** Whether the stream is open, or cannot be opened in time. */
function useStreamFirst(): boolean {
  const { kind } = useLiveState()
  const [isLate, setLate] = useState(false)
  const [wasOpen, setOpen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), STREAM_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (kind !== 'connecting') setOpen(true)
  }, [kind])
  return isLate || wasOpen || kind !== 'connecting'
}

/**
 * A stream that opens after the first list starts at that moment. Decisions between the two are in
 * neither of them, so the newest page is asked for again.
 */
function useLateStream(feed: Feed, isReady: boolean): void {
  const { kind } = useLiveState()
  const isLate = useRef(false)
  useEffect(() => {
    if (isReady && kind === 'connecting') isLate.current = true
    if (kind !== 'live' || !isLate.current) return
    isLate.current = false
    void feed.catchUp()
  }, [feed, isReady, kind])
}

/** Events may be missing after a gap. Without a stream, the page asks every 15 seconds. */
function useCatchUp(feed: Feed): void {
  const live = useContext(LiveContext)
  useEffect(() => live?.onGap(() => void feed.catchUp()), [live, feed])
  useEffect(() => {
    const timer = setInterval(() => {
      if (live?.state().kind === 'polling' && document.visibilityState === 'visible') {
        void feed.catchUp()
      }
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [live, feed])
}
