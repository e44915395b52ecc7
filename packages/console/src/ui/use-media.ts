import { useCallback, useSyncExternalStore } from 'react'

/** Follows a media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** From this width on, a drawer stands beside its list. */
export const DESK = '(min-width: 80rem)'
/** Fingers need larger targets. */
export const COARSE = '(pointer: coarse)'
