export interface ToastOptions {
  /** Adds an Undo button, for 8 seconds. */
  undo?: (() => void) | undefined
  /** How long it stays. 4 seconds, with Undo 8. */
  ms?: number | undefined
}

export interface ToastItem extends ToastOptions {
  id: number
  text: string
  ms: number
}

const MOST = 3

let items: readonly ToastItem[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly ToastItem[]): void {
  items = next
  for (const listener of listeners) listener()
}

/** Confirms a finished action. Never the only place of an error. */
export function toast(text: string, options: ToastOptions = {}): void {
  lastId += 1
  const ms = options.ms ?? (options.undo ? 8000 : 4000)
  change([...items, { ...options, id: lastId, text, ms }].slice(-MOST))
}

export function removeToast(id: number): void {
  change(items.filter((item) => item.id !== id))
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToasts(): readonly ToastItem[] {
  return items
}
