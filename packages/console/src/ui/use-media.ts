import { useCallback, useSyncExternalStore } from 'react'

/** Follows a media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => listOf(query).matches)
}

/** A list that the browser makes follows the window, so one for each query is enough. */
const lists = new Map<string, MediaQueryList>()

function listOf(query: string): MediaQueryList {
  const known = lists.get(query)
  if (known) return known
  const made = window.matchMedia(query)
  lists.set(query, made)
  return made
}

/** From this width on, a drawer stands beside its list. */
export const DESK = '(min-width: 80rem)'
/** Fingers need larger targets. */
export const COARSE = '(pointer: coarse)'
