import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveEvent, LiveState } from './events.ts'
import type { Live } from './live.ts'
import { resourcesOf } from './resources.ts'

export const LiveContext = createContext<Live | null>(null)

/** Lists are asked for again at most this often, however many events come. */
const REFETCH_MS = 2_000
const POLL_MS = 15_000
/** The OpenAPI document changes only with the gateway, whose end the stream announces as a gap. */
const NO_EVENT_CHANGES: readonly unknown[] = ['openApi']
/** Queries of the door. They are always loaded before the stream is opened. */
const FROM_THE_DOOR: readonly unknown[] = ['me', 'state']

export function useLiveState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.onState, live.state)
}

/** Calls the handler with each event and hint. */
export function useLiveEvents(handle: (event: LiveEvent) => void): void {
  const live = useLive()
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => live.onEvent((event) => latest.current(event)), [live])
}

/** Marks the things that events name as changed, so that the page reloads their shown parts. */
export function useRefetchOnEvents(): void {
  const live = useLive()
  const client = useQueryClient()
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      const names = new Set(changed)
      changed.clear()
      client
        .invalidateQueries({ predicate: ({ queryKey }) => names.has(String(queryKey[0])) })
        .catch(() => {})
    }
    const note = (names: readonly string[]) => {
      for (const name of names) changed.add(name)
      if (changed.size > 0) timer ??= setTimeout(flush, REFETCH_MS)
    }
    const all = () => {
      client.invalidateQueries().catch(() => {})
    }
    const changeable = () => {
      const predicate = ({ queryKey }: Query) => !NO_EVENT_CHANGES.includes(queryKey[0])
      client.invalidateQueries({ predicate }).catch(() => {})
    }
    // The stream starts when it opens. A page that was loaded before that may have missed events.
    let isFirst = live.state().kind !== 'live'
    const stopStates = live.onState(({ kind }) => {
      if (!isFirst || kind !== 'live') return
      isFirst = false
      if (isSomethingLoaded(client)) changeable()
    })
    const stopEvents = live.onEvent(({ kind }) => note(resourcesOf(kind)))
    const stopGaps = live.onGap(all)
    const poll = setInterval(() => {
      if (live.state().kind === 'polling' && document.visibilityState === 'visible') changeable()
    }, POLL_MS)
    return () => {
      stopStates()
      stopEvents()
      stopGaps()
      clearInterval(poll)
      clearTimeout(timer)
    }
  }, [live, client])
}

function isSomethingLoaded(client: QueryClient): boolean {
  const isLoaded = ({ state, queryKey }: Query) =>
    state.dataUpdatedAt > 0 && !FROM_THE_DOOR.includes(queryKey[0])
  return client.getQueryCache().getAll().some(isLoaded)
}

function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('This page needs live updates.')
  return live
}
