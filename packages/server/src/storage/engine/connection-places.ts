/** How many connections requests may use at once. */
export interface ConnectionNumbers {
  /** Of organizations whose requests go well. */
  readonly shared: number
  /** Of organizations that are slow. */
  readonly own: number
  /** For stops alone, when all others are in use. The last of them is for a freeze. */
  readonly reserved: number
}

/** What takes power to spend away, and must not wait for other requests of its organization. */
export type Stop = 'freeze' | 'other'

/** Whose share of the connections something uses. */
export interface Share {
  readonly organizationId: string
  /** Set where it stops spending: it goes before everything else of the organization. */
  readonly stop?: Stop | undefined
}

/** One connection in use. */
export interface Place extends Share {
  kind: 'shared' | 'own' | 'reserved'
  isLate: boolean
  isOver: boolean
}

/** Who has which connections. */
export interface ConnectionPlaces {
  /** Whether nobody can take one, except for a stop. */
  isFull(): boolean
  /** Whether the organization has a share left. */
  canTake(organizationId: string): boolean
  /** Whether a stop may begin beyond the share of its organization. */
  canStop(organizationId: string, stop: Stop): boolean
  take(share: Share): Place
  /** The request keeps its connection for long: it leaves the shared ones, if there is room elsewhere. */
  markLate(place: Place): void
  giveBack(place: Place): void
}

/** Statements that name no organization: those of workers, which differ too much to be one that is slow. */
export const NOBODY = ''
/** However many are in use elsewhere, an organization that goes well may have this many of the shared ones. */
const SHARED_LEAST = 2
/** Of these is remembered that they were slow. */
const SLOW_MAX = 10_000
/**
 * So many stops of one organization run beyond its share. A revocation may wait for a lock, so a second
 * stop does not wait for it, and a freeze waits for neither.
 */
const STOPS_AT_ONCE: Readonly<Record<Stop, number>> = { freeze: 1, other: 2 }

interface Held {
  count: number
  late: number
  readonly stops: Record<Stop, number>
}

/**
 * An organization may use as many shared connections as are left free by everybody: alone up to half
 * of them, the next one half of the rest, and so on.
 *
 * Whoever keeps a connection for long cannot give it back. So it counts as one of the connections for slow
 * organizations from then on, and another shared one may be opened: the sum of both is the most. Until
 * a request of the organization goes well again, and while another one of it is late, the organization
 * is slow and has one connection, or half of those for slow ones while no other organization uses them. When
 * these are all in use, slow organizations may use half of the shared ones: if the database itself is
 * slow, everybody is.
 *
 * A stop begins wherever a connection is free, whatever its organization has already. If none is, it takes
 * a reserved one, which nothing else can.
 */
export function createConnectionPlaces(most: ConnectionNumbers): ConnectionPlaces {
  const { shared, own, reserved } = most
  const held = new Map<string, Held>()
  const slow = new Set<string>()
  /** Late, and not yet among those for slow organizations. */
  const stranded = new Set<Place>()
  const { inUse, count, isAlone } = createCounts()

  function sharesOfEach(): number {
    const free = shared - inUse.shared
    // Each of them may become late. Those that are late already leave less room for that.
    return Math.min(free, Math.max(SHARED_LEAST, free - inUse.own))
  }

  function isFull(): boolean {
    return inUse.shared >= shared && inUse.own >= own
  }

  function roomFor(organizationId: string): Place['kind'] {
    if (slow.has(organizationId) && inUse.own < own) return 'own'
    if (inUse.shared < shared) return 'shared'
    return inUse.own < own ? 'own' : 'reserved'
  }

  function moveToOwn(place: Place): void {
    stranded.add(place)
    if (inUse.own >= own) return
    stranded.delete(place)
    count(place, -1)
    place.kind = 'own'
    count(place, 1)
  }

  return {
    isFull,
    canTake(organizationId) {
      const { count: all, late } = held.get(organizationId) ?? { count: 0, late: 0 }
      if (!slow.has(organizationId)) return all - late < sharesOfEach()
      if (inUse.own >= own && inUse.shared * 2 >= shared) return false
      return all < (isAlone(organizationId) ? Math.max(1, Math.floor(own / 2)) : 1)
    },
    canStop(organizationId, stop) {
      const stops = held.get(organizationId)?.stops[stop] ?? 0
      if (stops >= STOPS_AT_ONCE[stop]) return false
      return !isFull() || inUse.reserved < (stop === 'freeze' ? reserved : reserved - 1)
    },
    take({ organizationId, stop }) {
      const kind = roomFor(organizationId)
      const place: Place = { organizationId, stop, kind, isLate: false, isOver: false }
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
      if (organizationId !== NOBODY) remember(slow, organizationId)
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

/** How many connections of each kind are in use. */
function createCounts() {
  const inUse = { shared: 0, own: 0, reserved: 0 }
  /** How many of those for slow organizations each organization has. */
  const ownOf = new Map<string, number>()
  return {
    inUse,
    count({ kind, organizationId }: Place, change: 1 | -1): void {
      inUse[kind] += change
      if (kind !== 'own' || organizationId === NOBODY) return
      const left = (ownOf.get(organizationId) ?? 0) + change
      if (left > 0) ownOf.set(organizationId, left)
      else ownOf.delete(organizationId)
    },
    /** Whether no other organization uses those for slow ones. */
    isAlone: (organizationId: string): boolean =>
      ownOf.size === 0 || (ownOf.size === 1 && ownOf.has(organizationId)),
  }
}

function newHeld(): Held {
  return { count: 0, late: 0, stops: { freeze: 0, other: 0 } }
}

/** The oldest is forgotten where there are too many. */
function remember(slow: Set<string>, organizationId: string): void {
  const [oldest] = slow
  if (slow.size >= SLOW_MAX && oldest !== undefined) slow.delete(oldest)
  slow.add(organizationId)
}
