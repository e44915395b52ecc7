import { busy } from './storage-error.ts'

/** Shares connections among those who ask for them at once. */
export interface ConnectionShares {
  /** Runs `use` as soon as there is a connection for this organization. */
  withShare<T>(organizationId: string, use: () => Promise<T>): Promise<T>
}

/**
 * An organization may use as many connections as are left free by everybody: alone up to half of
 * them, the next one half of the rest, and so on. So changes of one that all wait for a lock leave
 * something for the others, and those of several do too. While none is free for them, organizations
 * are served in turn. Whoever waits longer than `waitMs` is told that the database is too busy.
 */
export function createConnectionShares(connections: number, waitMs: number): ConnectionShares {
  const inUse = new Map<string, number>()
  /** In the order of turns. */
  const waiting = new Map<string, Set<() => void>>()
  let free = connections

  const isAllowed = (organizationId: string): boolean => (inUse.get(organizationId) ?? 0) < free

  function take(organizationId: string): void {
    free -= 1
    inUse.set(organizationId, (inUse.get(organizationId) ?? 0) + 1)
  }

  function giveBack(organizationId: string): void {
    free += 1
    const left = (inUse.get(organizationId) ?? 0) - 1
    if (left > 0) inUse.set(organizationId, left)
    else inUse.delete(organizationId)
    for (let next = nextTurn(); next !== undefined; next = nextTurn()) serve(next)
  }

  function nextTurn(): string | undefined {
    if (free === 0) return undefined
    for (const organizationId of waiting.keys())
      if (isAllowed(organizationId)) return organizationId
    return undefined
  }

  function serve(organizationId: string): void {
    const [start] = waiting.get(organizationId) ?? []
    if (!start) return
    take(organizationId)
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

  function waitForTurn(organizationId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(organizationId, start)
        reject(busy(new Error('No connection was free in time.')))
      }, waitMs)
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const own = waiting.get(organizationId)
      if (own) own.add(start)
      else waiting.set(organizationId, new Set([start]))
    })
  }

  return {
    async withShare(organizationId, use) {
      if (!waiting.has(organizationId) && isAllowed(organizationId)) take(organizationId)
      else await waitForTurn(organizationId)
      try {
        return await use()
      } finally {
        giveBack(organizationId)
      }
    },
  }
}
