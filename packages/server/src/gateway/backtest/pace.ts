import { performance } from 'node:perf_hooks'

/** How long a replay may block everything else in this process. */
const TURN_MS = 1
/**
 * While spends are decided, a replay takes this share of the process's idle time. If there is no
 * idle time, it takes the minimum share, so that it still finishes.
 */
const SHARE_OF_IDLE = 0.2
const SHARE_MIN = 0.02
/** A caller that disconnects, or a process that stops, waits at most this long. */
const REST_MAX_MS = 250
/** A replay goes slowly if a spend arrived within this time. */
const BUSY_MS = 250

/** Keeps a long calculation from delaying decisions. */
export interface Pace {
  isTurnOver(): boolean
  /**
   * Lets all waiting work run. While spends are decided, it also rests: without a rest, the replay
   * would fill every gap, and each filled gap makes a spend wait.
   */
  giveWay(): Promise<void>
}

interface Surroundings {
  /** The number of spends submitted to this process so far. */
  decided(): number
  /** The number of replays in this process. They share the time that one alone would take. */
  atOnce(): number
}

export function createPace({ decided, atOnce }: Surroundings): Pace {
  let begun = performance.now()
  let seen = decided()
  let busyUntil = begun + BUSY_MS
  let measured = performance.eventLoopUtilization()

  function restMs(now: number): number {
    const count = decided()
    if (count !== seen) busyUntil = now + BUSY_MS
    seen = count
    if (now >= busyUntil) return 0
    const share = Math.max(SHARE_MIN, SHARE_OF_IDLE * idleShare()) / atOnce()
    return Math.min((now - begun) * (1 / share - 1), REST_MAX_MS)
  }

  /** The idle share of this process's time since the last rest. */
  function idleShare(): number {
    const before = measured
    measured = performance.eventLoopUtilization()
    return 1 - performance.eventLoopUtilization(measured, before).utilization
  }

  return {
    isTurnOver: () => performance.now() - begun > TURN_MS,
    async giveWay() {
      const ms = restMs(performance.now())
      await new Promise((resolve) => (ms === 0 ? setImmediate(resolve) : setTimeout(resolve, ms)))
      begun = performance.now()
    },
  }
}
