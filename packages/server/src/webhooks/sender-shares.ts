/** The most attempts in flight for one lane, while its receiver responds well. */
export const IN_FLIGHT_MAX = 16
/**
 * The initial share, while nothing is known about the receiver: many receivers may be dead at once.
 */
const SHARE_START = 2
/** The most attempts in flight in this process, over all lanes. */
const TOTAL_MAX = 512

interface Share {
  inFlight: number
  limit: number
}

/**
 * Limits the attempts in flight, so that a dead or slow receiver delays only itself: its share
 * halves with every failure, down to one, and grows by one with every success.
 */
export interface SenderShares {
  /** Takes all the room that a lane has, and returns how much that was. */
  take(lane: string): number
  /** Returns room that was taken and not used. */
  giveBack(lane: string, count: number): void
  ended(lane: string, isSuccess: boolean): void
}

export function createSenderShares(): SenderShares {
  const shares = new Map<string, Share>()
  let total = 0

  function shareOf(lane: string): Share {
    const share = shares.get(lane) ?? { inFlight: 0, limit: SHARE_START }
    shares.set(lane, share)
    return share
  }

  function giveBack(lane: string, count: number): void {
    const share = shareOf(lane)
    share.inFlight -= count
    total -= count
    // An idle share that equals a new one is not stored.
    if (share.inFlight === 0 && share.limit === SHARE_START) shares.delete(lane)
  }

  return {
    take(lane) {
      const share = shareOf(lane)
      const room = Math.max(0, Math.min(share.limit - share.inFlight, TOTAL_MAX - total))
      share.inFlight += room
      total += room
      return room
    },
    giveBack,
    ended(lane, isSuccess) {
      const share = shareOf(lane)
      share.limit = isSuccess
        ? Math.min(IN_FLIGHT_MAX, share.limit + 1)
        : Math.max(1, Math.floor(share.limit / 2))
      giveBack(lane, 1)
    },
  }
}
