import type { ReactNode } from 'react'

/** The one tooltip that is shown. */
export interface Tip {
  readonly anchor: Element
  readonly content: ReactNode
  readonly side: 'top' | 'right' | 'bottom' | 'left'
}

/** Long enough to reach the tooltip with the pointer, which must not close it. */
const LEAVE_MS = 120

export const TIP_ID = 'tooltip'

let tip: Tip | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function readTip(): Tip | null {
  return tip
}

export function watchTip(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function showTip(next: Tip, delayMs: number): void {
  clearTimeout(timer)
  // Once one is open, the next needs no pause.
  if (tip || delayMs === 0) setTip(next)
  else timer = setTimeout(() => setTip(next), delayMs)
}

export function keepTip(): void {
  clearTimeout(timer)
}

export function hideTip(delayMs = LEAVE_MS): void {
  clearTimeout(timer)
  if (delayMs === 0) setTip(null)
  else timer = setTimeout(() => setTip(null), delayMs)
}

function setTip(next: Tip | null): void {
  if (next === tip) return
  // An element that has a description of its own keeps it.
  if (tip?.anchor.getAttribute('aria-describedby') === TIP_ID) {
    tip.anchor.removeAttribute('aria-describedby')
  }
  tip = next
  for (const listener of listeners) listener()
}
