/** Which of the two layers over the page is open. */
export type Layer = 'palette' | 'shortcuts' | null

let layer: Layer = null
const listeners = new Set<() => void>()

export function readLayer(): Layer {
  return layer
}

export function watchLayer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function openPalette(): void {
  setLayer('palette')
}

export function openShortcuts(): void {
  setLayer('shortcuts')
}

export function closeLayer(): void {
  setLayer(null)
}

function setLayer(next: Layer): void {
  layer = next
  for (const listener of listeners) listener()
}
