/** In flight for one organization at most, while its receiver answers well. */
const LANE_MAX = 16
/** What a lane starts with, before anything is known of the receiver: many may be dead at once. */
const LANE_START = 2
/** In flight in this process at most, over all organizations. */
const TOTAL_MAX = 512

interface Lane {
  inFlight: number
  limit: number
}

/**
 * How much may be in flight, so that one receiver that is dead or slow holds up nobody but itself: its
 * lane halves with every failure, down to one, and widens by one with every success.
 */
export interface Lanes {
  /** Takes all the room there is for an organization and tells how much that was. */
  take(organizationId: string): number
  /** Room that was taken and not used. */
  giveBack(organizationId: string, count: number): void
  ended(organizationId: string, isSuccess: boolean): void
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  let total = 0

  function laneOf(organizationId: string): Lane {
    const lane = lanes.get(organizationId) ?? { inFlight: 0, limit: LANE_START }
    lanes.set(organizationId, lane)
    return lane
  }

  function giveBack(organizationId: string, count: number): void {
    const lane = laneOf(organizationId)
    lane.inFlight -= count
    total -= count
    // An idle lane that is like a new one need not be remembered.
    if (lane.inFlight === 0 && lane.limit === LANE_START) lanes.delete(organizationId)
  }

  return {
    take(organizationId) {
      const lane = laneOf(organizationId)
      const room = Math.max(0, Math.min(lane.limit - lane.inFlight, TOTAL_MAX - total))
      lane.inFlight += room
      total += room
      return room
    },
    giveBack,
    ended(organizationId, isSuccess) {
      const lane = laneOf(organizationId)
      lane.limit = isSuccess
        ? Math.min(LANE_MAX, lane.limit + 1)
        : Math.max(1, Math.floor(lane.limit / 2))
      giveBack(organizationId, 1)
    },
  }
}
