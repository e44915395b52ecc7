import type { Share } from './connection-places.ts'

/** A statement or transaction that waits for a connection. */
export interface Waiter extends Share {
  start(): void
}

/** The waiters of one organization. */
interface Queue {
  readonly stops: Set<Waiter>
  readonly others: Set<Waiter>
}

/** All waiters for a connection, in the order of the organizations' turns. */
export interface ConnectionQueues {
  count(): number
  has(organizationId: string): boolean
  /** The stops of all organizations, in the order of arrival. */
  stops(): Iterable<Waiter>
  /** The next waiter of the first organization that may start; its stops go before the rest. */
  findNext(mayBegin: (organizationId: string) => boolean): Waiter | undefined
  add(waiter: Waiter): void
  remove(waiter: Waiter): void
  /** The organization has had its turn: its other waiters move to the end. */
  endTurn(organizationId: string): void
}

export function createConnectionQueues(): ConnectionQueues {
  const queues = new Map<string, Queue>()
  const allStops = new Set<Waiter>()

  return {
    count() {
      let count = 0
      for (const { stops, others } of queues.values()) count += stops.size + others.size
      return count
    },
    has: (organizationId) => queues.has(organizationId),
    stops: () => allStops,
    findNext(mayBegin) {
      for (const [organizationId, { stops, others }] of queues) {
        if (mayBegin(organizationId)) return first(stops) ?? first(others)
      }
      return undefined
    },
    add(waiter) {
      const { organizationId, stop } = waiter
      const queue = queues.get(organizationId) ?? { stops: new Set(), others: new Set() }
      queues.set(organizationId, queue)
      const own = stop ? queue.stops : queue.others
      own.add(waiter)
      if (stop) allStops.add(waiter)
    },
    remove(waiter) {
      const { organizationId } = waiter
      const queue = queues.get(organizationId)
      allStops.delete(waiter)
      queue?.stops.delete(waiter)
      queue?.others.delete(waiter)
      if (queue?.stops.size === 0 && queue.others.size === 0) queues.delete(organizationId)
    },
    endTurn(organizationId) {
      const queue = queues.get(organizationId)
      if (queue && queues.delete(organizationId)) queues.set(organizationId, queue)
    },
  }
}

function first(waiters: ReadonlySet<Waiter>): Waiter | undefined {
  const [waiter] = waiters
  return waiter
}
