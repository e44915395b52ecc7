import { useSyncExternalStore } from 'react'

/** Mandates that are deleted or archived unless the person takes it back within seconds. */
let leaving: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** The list hides the mandate from now on. */
export function hideMandate(id: string): void {
  change(new Set([...leaving, id]))
}

/** Ends the hiding: the person took the deletion back, or the lists no longer have the mandate. */
export function showMandate(id: string): void {
  change(new Set([...leaving].filter((one) => one !== id)))
}

export function leavingIds(): ReadonlySet<string> {
  return leaving
}

export function useLeavingIds(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, leavingIds)
}

function change(next: ReadonlySet<string>): void {
  leaving = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
