import { createNodeCounts } from '../distributed/node-counts.ts'
import type { OrganizationNodes } from '../distributed/organization-nodes.ts'

/** How many connections requests may use at once (ADR 24). */
export interface ConnectionNumbers {
  /** For organizations whose requests finish in time. */
  readonly shared: number
  /** For slow organizations. */
  readonly own: number
  /** Only for stops, when all others are in use. The last one is for a freeze. */
  readonly reserved: number
}

/** A request that takes away power to spend. It must not wait for other requests of its organization. */
export type Stop = 'freeze' | 'other'

/** The organization whose share of the connections a statement or transaction uses. */
export interface Share {
  readonly organizationId: string
  /** Set for a stop, which goes before all other requests of the organization. */
  readonly stop?: Stop | undefined
}

/** One connection in use. */
export interface Place extends Share {
  readonly node: object | undefined
  kind: 'shared' | 'own' | 'reserved'
  isLate: boolean
  isOver: boolean
}

/** Counts which organization uses which connections. */
export interface ConnectionPlaces {
  /** Whether no connection is free, except for a stop. */
  isFull(): boolean
  /** Whether the organization has a share left. */
  canTake(organizationId: string): boolean
  /** Whether a stop may begin beyond the share of its organization. */
  canStop(organizationId: string, stop: Stop): boolean
  take(share: Share): Place
  /** The request is late: its connection no longer counts as shared, if a slow place is free. */
  markLate(place: Place): void
  giveBack(place: Place): void
}

/** Statements that name no organization. They come from different workers, so they are never slow as one. */
export const NO_ORGANIZATION = ''
/** An organization that is not slow may always have this many shared connections, if they are free. */
const SHARED_LEAST = 2
/** How many slow organizations are remembered. */
const SLOW_MAX = 10_000
/**
 * How many stops of one organization may run beyond its share. A revocation may wait for a lock, so a
 * second stop does not wait for it, and a freeze waits for neither.
 */
const STOPS_AT_ONCE: Readonly<Record<Stop, number>> = { freeze: 1, other: 2 }

interface Held {
  count: number
  late: number
  readonly stops: Record<Stop, number>
}

/**
 * An organization may use as many shared connections as are still free: the first one up to half of
 * them, the next one half of the rest, and so on.
 *
 * A late request cannot return its connection early. Its connection counts as one for slow
 * organizations from then on, and a new shared one may be opened: the sum of both kinds is the maximum.
 * The organization is slow while one of its requests is late, and until one finishes in time. It then
 * has one connection, or half of those for slow organizations if no other organization uses them. When
 * these are all in use, slow organizations may use half of the shared ones: if the database itself is
 * slow, all organizations are.
 *
 * A stop starts on any free connection, however many its organization already uses. If none is free,
 * it takes a reserved one, which only stops can use.
 */
export function createConnectionPlaces(
  most: ConnectionNumbers,
  /** Only a distributed store has nodes, and it knows them once it is open. */
  nodes: () => OrganizationNodes | undefined = () => undefined,
): ConnectionPlaces {
  const held = new Map<string, Held>()
  const slow = new Set<string>()
  /** Late, but still counted as shared, because all places for slow organizations were in use. */
  const stranded = new Set<Place>()
  const { inUse, isFull, kindFor, sharesOfEach, hasRoomFor, count, isAlone } = createCounts(most)

  const isSlow = (id: string): boolean => slow.has(id) || nodes()?.isHeldUp(id) === true

  function moveToOwn(place: Place): void {
    stranded.add(place)
    if (inUse.own >= most.own) return
    stranded.delete(place)
    count(place, -1)
    place.kind = 'own'
    count(place, 1)
  }

  return {
    isFull,
    canTake(organizationId) {
      const { count: all, late } = held.get(organizationId) ?? { count: 0, late: 0 }
      const slowly = isSlow(organizationId)
      if (!hasRoomFor(nodes()?.of(organizationId), slowly)) return false
      if (!slowly) return all - late < sharesOfEach()
      return all < (isAlone(organizationId) ? Math.max(1, Math.floor(most.own / 2)) : 1)
    },
    canStop(organizationId, stop) {
      const stops = held.get(organizationId)?.stops[stop] ?? 0
      if (stops >= STOPS_AT_ONCE[stop]) return false
      return !isFull() || inUse.reserved < most.reserved - (stop === 'freeze' ? 0 : 1)
    },
    take({ organizationId, stop }) {
      const kind = kindFor(isSlow(organizationId))
      const node = nodes()?.of(organizationId)
      const place: Place = { organizationId, stop, node, kind, isLate: false, isOver: false }
      const others = held.get(organizationId) ?? newHeld()
      others.count += 1
      if (stop) others.stops[stop] += 1
      held.set(organizationId, others)
      count(place, 1)
      return place
    },
    markLate(place) {
      const { organizationId } = place
      place.isLate = true
      const all = held.get(organizationId)
      if (all) all.late += 1
      if (organizationId !== NO_ORGANIZATION) remember(slow, organizationId)
      if (place.kind !== 'own') moveToOwn(place)
    },
    giveBack(place) {
      const { organizationId, stop, isLate } = place
      place.isOver = true
      count(place, -1)
      stranded.delete(place)
      const others = held.get(organizationId) ?? newHeld()
      others.count -= 1
      others.late -= Number(isLate)
      if (stop) others.stops[stop] -= 1
      if (others.count <= 0) held.delete(organizationId)
      if (!isLate && others.late === 0) slow.delete(organizationId)
      const [next] = stranded
      if (next) moveToOwn(next)
    },
  }
}

/** How many connections of each kind are in use, and which kind is next. */
function createCounts({ shared, own }: ConnectionNumbers) {
  const inUse = { shared: 0, own: 0, reserved: 0 }
  const ofNodes = createNodeCounts(shared)
  /** How many connections for slow organizations each organization has. */
  const ownOf = new Map<string, number>()
  return {
    inUse,
    isFull: () => inUse.shared >= shared && inUse.own >= own,
    kindFor(isSlow: boolean): Place['kind'] {
      if (isSlow && inUse.own < own) return 'own'
      if (inUse.shared < shared) return 'shared'
      return inUse.own < own ? 'own' : 'reserved'
    },
    sharesOfEach(): number {
      const free = shared - inUse.shared
      // Each of these may become late and then needs a slow place, so fewer are lent as those fill up.
      return Math.min(free, Math.max(SHARED_LEAST, free - inUse.own))
    },
    /** Whether the organizations of the node, and slow ones of all nodes, leave a connection to this one. */
    hasRoomFor(node: object | undefined, isSlow: boolean): boolean {
      if (isSlow && inUse.own < own) return true
      return ofNodes.hasRoom(node) && (!isSlow || inUse.shared * 2 < shared)
    },
    count({ kind, node, organizationId }: Place, change: 1 | -1): void {
      inUse[kind] += change
      if (kind === 'shared') ofNodes.add(node, change)
      if (kind !== 'own' || organizationId === NO_ORGANIZATION) return
      const left = (ownOf.get(organizationId) ?? 0) + change
      if (left > 0) ownOf.set(organizationId, left)
      else ownOf.delete(organizationId)
    },
    /** Whether no other organization uses connections for slow organizations. */
    isAlone: (organizationId: string): boolean =>
      ownOf.size === 0 || (ownOf.size === 1 && ownOf.has(organizationId)),
  }
}

function newHeld(): Held {
  return { count: 0, late: 0, stops: { freeze: 0, other: 0 } }
}

/** Adds the organization, and forgets the oldest if there are too many. */
function remember(slow: Set<string>, organizationId: string): void {
  const [oldest] = slow
  if (slow.size >= SLOW_MAX && oldest !== undefined) slow.delete(oldest)
  slow.add(organizationId)
}
