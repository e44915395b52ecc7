import { performance } from 'node:perf_hooks'

/** How long replaying may keep everything else in this process waiting. */
const TURN_MS = 1
/**
 * While spends are decided, replaying takes a part of the time that nothing else in this process wants.
 * Where there is none left, it takes hardly any, and comes to an end all the same.
 */
const SHARE_OF_IDLE = 0.2
const SHARE_MIN = 0.02
/** Whoever leaves, or stops the process, waits for so long at most. */
const REST_MAX_MS = 250
/** Spends that came within this time are a reason to go slowly. */
const BUSY_MS = 250

/** Keeps a long calculation from being felt by those who wait for decisions. */
export interface Pace {
  isTurnOver(): boolean
  /**
   * Lets everything that waits have its turn. While spends are decided, it also rests: whoever only
   * gave way would take every gap, and each gap that is taken makes a spend wait.
   */
  giveWay(): Promise<void>
}

interface Surroundings {
  /** How many spends this process was asked to decide so far. */
  decided(): number
  /** How many replays this process runs. They share what one alone would take. */
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

  /** The part of the time since the last rest in which this process had nothing to do. */
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
