import { useSyncExternalStore } from 'react'

export type Density = 'normal' | 'compact'

const KEY = 'purser.density'

/** How high rows are. set-theme.ts applies the choice, in this tab and in the others. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  return [useSyncExternalStore(watch, read), choose]
}

function read(): Density {
  return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'normal'
}

function choose(density: Density): void {
  if (density === 'normal') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, density)
  // The browser sends this event to the other tabs only.
  dispatchEvent(new StorageEvent('storage', { key: KEY }))
}

function watch(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
