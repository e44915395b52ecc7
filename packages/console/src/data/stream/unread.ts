import { type LiveEvent, readEvent } from './events.ts'

/** Events are read for so long at a time, so that frames of the page come between. */
const SLICE_MS = 8

interface UnreadDeps {
  /** Gets the events of one slice, in their order. */
  readonly tell: (events: readonly LiveEvent[]) => void
  /** Runs in a later task. */
  readonly schedule: (run: () => void) => void
  readonly now: () => number
}

/**
 * Holds the events that arrived and were not read yet. The browser delivers a burst in one task, so
 * that task only puts them here.
 */
export function createUnread({ tell, schedule, now }: UnreadDeps) {
  let unread: (readonly [name: string, text: string, receivedAt: number])[] = []
  let isPlanned = false

  function plan(): void {
    if (isPlanned || unread.length === 0) return
    isPlanned = true
    schedule(() => {
      isPlanned = false
      read(now() + SLICE_MS)
      plan()
    })
  }
  function read(until: number): void {
    const events: LiveEvent[] = []
    let count = 0
    for (const [name, text, receivedAt] of unread) {
      if (count > 0 && now() >= until) break
      count += 1
      const event = readEvent(name, text, receivedAt)
      if (event) events.push(event)
    }
    unread = unread.slice(count)
    if (events.length > 0) tell(events)
  }
  return {
    add(name: string, text: string): void {
      unread.push([name, text, Date.now()])
      plan()
    },
    /** Reads the rest now, when no later task may do it. */
    end: () => read(Number.POSITIVE_INFINITY),
  }
}
