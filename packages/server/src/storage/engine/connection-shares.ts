import { type ConnectionNumbers, createConnectionPlaces, type Place } from './connection-places.ts'
import { busy } from './storage-error.ts'

/** A wait for a lock up to this long is normal, as it is for decisions. */
const SLOW_AFTER_MS = 250

/** Shares connections among those who ask for them at once. */
export interface ConnectionShares {
  /**
   * Runs `use` as soon as there is a connection for this organization. `use` must not ask for a second
   * one: a slow organization has only one, and would wait for itself.
   */
  withShare<T>(organizationId: string, use: () => Promise<T>): Promise<T>
}

/**
 * Organizations that find no connection free for them (connection-places.ts) are served in turn. So changes
 * of one that all wait for a lock leave something for the others, and those of several do too. Whoever
 * waits longer than `waitMs` is told that the database is too busy.
 */
export function createConnectionShares(
  connections: ConnectionNumbers,
  waitMs: number,
): ConnectionShares {
  const places = createConnectionPlaces(connections)
  /** In the order of turns. */
  const waiting = new Map<string, Set<() => void>>()

  function serveAll(): void {
    for (let next = nextTurn(); next !== undefined; next = nextTurn()) serve(next)
  }

  function nextTurn(): string | undefined {
    for (const organizationId of waiting.keys())
      if (places.canTake(organizationId)) return organizationId
    return undefined
  }

  function serve(organizationId: string): void {
    const [start] = waiting.get(organizationId) ?? []
    if (!start) return
    leave(organizationId, start)
    // The others of the organization go to the end.
    const others = waiting.get(organizationId)
    if (others && waiting.delete(organizationId)) waiting.set(organizationId, others)
    start()
  }

  function leave(organizationId: string, start: () => void): void {
    const own = waiting.get(organizationId)
    own?.delete(start)
    if (own?.size === 0) waiting.delete(organizationId)
  }

  function waitForTurn(organizationId: string): Promise<Place> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(organizationId, start)
        reject(busy(new Error('No connection was free in time.')))
      }, waitMs)
      const start = (): void => {
        clearTimeout(timer)
        resolve(places.take(organizationId))
      }
      const own = waiting.get(organizationId)
      if (own) own.add(start)
      else waiting.set(organizationId, new Set([start]))
    })
  }

  function takesLong(place: Place): void {
    places.markLate(place)
    // Others that began at the same time are late as well, which is known in a moment.
    setImmediate(serveAll)
  }

  return {
    async withShare(organizationId, use) {
      const isFree = !waiting.has(organizationId) && places.canTake(organizationId)
      const place = isFree ? places.take(organizationId) : await waitForTurn(organizationId)
      const timer = setTimeout(takesLong, SLOW_AFTER_MS, place)
      try {
        return await use()
      } finally {
        clearTimeout(timer)
        places.giveBack(place)
        serveAll()
      }
    },
  }
}
