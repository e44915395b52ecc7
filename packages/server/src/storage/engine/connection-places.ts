/** How many connections requests may use at once. */
export interface ConnectionNumbers {
  /** Of organizations whose requests go well. */
  readonly shared: number
  /** Of organizations that are slow. */
  readonly own: number
}

/** One connection in use. */
export interface Place {
  readonly organizationId: string
  /** Whether it is one of those for slow organizations. */
  isOwn: boolean
  isLate: boolean
}

/** Who has which connections. */
export interface ConnectionPlaces {
  canTake(organizationId: string): boolean
  take(organizationId: string): Place
  /** The request keeps its connection for long: it leaves the shared ones, if there is room elsewhere. */
  markLate(place: Place): void
  giveBack(place: Place): void
}

/** Statements that name no organization: those of workers, which differ too much to be one that is slow. */
const NOBODY = ''
/** However many are in use elsewhere, an organization that goes well may have this many of the shared ones. */
const SHARED_LEAST = 2
/** Of these is remembered that they were slow. */
const SLOW_MAX = 10_000

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
 */
export function createConnectionPlaces({ shared, own }: ConnectionNumbers): ConnectionPlaces {
  const held = new Map<string, { count: number; late: number }>()
  const slow = new Set<string>()
  const ownPlaces = new Set<Place>()
  /** Late, and still among the shared ones. */
  const stranded = new Set<Place>()
  let sharedInUse = 0

  function sharesOfEach(): number {
    const sharedFree = shared - sharedInUse
    // Each of them may become late. Those that are late already leave less room for that.
    return Math.min(sharedFree, Math.max(SHARED_LEAST, sharedFree - ownPlaces.size))
  }

  function slowSharesOf(organizationId: string): number {
    const isAlone = [...ownPlaces].every((place) => place.organizationId === organizationId)
    return isAlone ? Math.max(1, Math.floor(own / 2)) : 1
  }

  function moveToOwn(place: Place): void {
    if (ownPlaces.size >= own) {
      stranded.add(place)
      return
    }
    stranded.delete(place)
    place.isOwn = true
    ownPlaces.add(place)
    sharedInUse -= 1
  }

  return {
    canTake(organizationId) {
      const count = held.get(organizationId)?.count ?? 0
      if (!slow.has(organizationId)) return count < sharesOfEach()
      const hasRoom = ownPlaces.size < own || sharedInUse * 2 < shared
      return hasRoom && count < slowSharesOf(organizationId)
    },
    take(organizationId) {
      const isOwn = slow.has(organizationId) && ownPlaces.size < own
      const place = { organizationId, isOwn, isLate: false }
      const { count, late } = held.get(organizationId) ?? { count: 0, late: 0 }
      held.set(organizationId, { count: count + 1, late })
      if (isOwn) ownPlaces.add(place)
      else sharedInUse += 1
      return place
    },
    markLate(place) {
      const { organizationId } = place
      place.isLate = true
      const { count, late } = held.get(organizationId) ?? { count: 1, late: 0 }
      held.set(organizationId, { count, late: late + 1 })
      if (organizationId !== NOBODY) remember(slow, organizationId)
      if (!place.isOwn) moveToOwn(place)
    },
    giveBack(place) {
      const { organizationId, isOwn, isLate } = place
      if (isOwn) ownPlaces.delete(place)
      else sharedInUse -= 1
      stranded.delete(place)
      const { count, late } = held.get(organizationId) ?? { count: 1, late: 0 }
      const left = { count: count - 1, late: late - Number(isLate) }
      if (left.count > 0) held.set(organizationId, left)
      else held.delete(organizationId)
      if (!isLate && left.late === 0) slow.delete(organizationId)
      const [next] = stranded
      if (next) moveToOwn(next)
    },
  }
}

/** The oldest is forgotten where there are too many. */
function remember(slow: Set<string>, organizationId: string): void {
  const [oldest] = slow
  if (slow.size >= SLOW_MAX && oldest !== undefined) slow.delete(oldest)
  slow.add(organizationId)
}
