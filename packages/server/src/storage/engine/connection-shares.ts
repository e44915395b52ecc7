import type { OrganizationNodes } from '../distributed/organization-nodes.ts'
import {
  type ConnectionNumbers,
  createConnectionPlaces,
  NO_ORGANIZATION,
  type Place,
  type Share,
} from './connection-places.ts'
import { createConnectionQueues, type Waiter } from './connection-queues.ts'
import type { Statement } from './queryable.ts'
import { busy } from './storage-error.ts'

/** Waiting this long for a lock is normal, as it is for decisions (gateway/queue/lanes.ts). */
const SLOW_AFTER_MS = 250

/** Shares the connections among organizations. */
export interface ConnectionShares {
  /**
   * Runs `use` as soon as there is a connection for this organization. `use` calls `lent` when it has the
   * connection, and must not request a second one: a slow organization has only one, and would wait for
   * itself.
   */
  withShare<T>(share: Share, use: (lent: () => void) => Promise<T>): Promise<T>
  /** How many statements and transactions wait for their turn. */
  waiting(): number
}

/** For a pool whose connections are not divided. */
export const UNDIVIDED: ConnectionShares = {
  withShare: (_share, use) => use(() => {}),
  waiting: () => 0,
}

/**
 * Organizations that find no free connection (connection-places.ts) are served in turn. So if all changes
 * of one organization wait for a lock, connections remain for the others (ADR 24). A waiter that waits
 * longer than `waitMs` fails, because the database is too busy.
 */
export function createConnectionShares(
  connections: ConnectionNumbers,
  waitMs: number,
  nodes?: () => OrganizationNodes | undefined,
): ConnectionShares {
  const places = createConnectionPlaces(connections, nodes)
  const queues = createConnectionQueues()

  function serveAll(): void {
    for (let next = nextTurn(); next; next = nextTurn()) {
      queues.remove(next)
      queues.endTurn(next.organizationId)
      next.start()
    }
  }

  function nextTurn(): Waiter | undefined {
    for (const waiter of queues.stops()) if (canStop(waiter)) return waiter
    return places.isFull() ? undefined : queues.findNext(places.canTake)
  }

  function canStop({ organizationId, stop }: Share): boolean {
    return stop !== undefined && places.canStop(organizationId, stop)
  }

  function waitForTurn(share: Share): Promise<Place> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queues.remove(waiter)
        reject(busy(new Error('No connection was free in time.')))
      }, waitMs)
      const start = (): void => {
        clearTimeout(timer)
        resolve(places.take(share))
      }
      const waiter: Waiter = { ...share, start }
      queues.add(waiter)
    })
  }

  function isFree(share: Share): boolean {
    const { organizationId } = share
    return (!queues.has(organizationId) && places.canTake(organizationId)) || canStop(share)
  }

  /** Reads a result that arrived while this process was busy before the request counts as late. */
  function mayTakeLong(place: Place): void {
    setImmediate(() => {
      if (place.isOver) return
      places.markLate(place)
      // Requests that started at the same time are late as well, and are marked before the next turn.
      setImmediate(serveAll)
    })
  }

  return {
    async withShare(share, use) {
      const place = isFree(share) ? places.take(share) : await waitForTurn(share)
      let timer: NodeJS.Timeout | undefined
      try {
        return await use(() => {
          timer = setTimeout(mayTakeLong, SLOW_AFTER_MS, place)
        })
      } finally {
        clearTimeout(timer)
        places.giveBack(place)
        serveAll()
      }
    },
    waiting: queues.count,
  }
}

const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Statements of requests name the organization first. Other values, such as a time, name none. */
export function shareOf({ values }: Pick<Statement, 'values'>): Share {
  const [first] = values ?? []
  const isOrganization = typeof first === 'string' && UUID_FORM.test(first)
  return { organizationId: isOrganization ? first : NO_ORGANIZATION }
}
