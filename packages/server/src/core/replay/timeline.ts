import type { Instant } from '../time/instant.ts'

/** A callback for an instant of the past. */
interface Happening {
  readonly at: Instant
  run(): void
}

/** Runs the later steps of transactions between the decisions, in the order of time. */
export interface Timeline {
  /** The number of steps that have not run yet. */
  readonly size: number
  add(happening: Happening): void
  /** Runs everything up to this instant. */
  advance(to: Instant): void
}

/** A heap: holds may be open for weeks, and then there are many. */
export function createTimeline(): Timeline {
  const heap: Happening[] = []
  const atOf = (index: number): Instant => heap[index]?.at ?? Number.POSITIVE_INFINITY

  function swap(a: number, b: number): void {
    const [one, other] = [heap[a], heap[b]]
    if (!one || !other) return
    heap[a] = other
    heap[b] = one
  }

  function rise(from: number): void {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1
      if (atOf(parent) <= atOf(index)) return
      swap(parent, index)
      index = parent
    }
  }

  function sink(): void {
    for (let index = 0; ; ) {
      const left = 2 * index + 1
      const child = atOf(left + 1) < atOf(left) ? left + 1 : left
      if (atOf(child) >= atOf(index)) return
      swap(child, index)
      index = child
    }
  }

  function take(): Happening | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || first === last) return first
    heap[0] = last
    sink()
    return first
  }

  return {
    get size() {
      return heap.length
    },
    add(happening) {
      heap.push(happening)
      rise(heap.length - 1)
    },
    advance(to) {
      while (atOf(0) <= to) take()?.run()
    },
  }
}
