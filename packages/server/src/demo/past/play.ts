import type { Instant } from '../../core/time/instant.ts'
import type { DemoGateway } from '../start.ts'
import { DAY_MS } from './times.ts'

/** Something that happened at an instant. */
export interface Move {
  readonly at: Instant
  run(stage: Stage): Promise<void>
}

export interface Stage {
  /** Lets something happen after this time, between the other moves. */
  later(ms: number, run: () => Promise<void>): void
  /** Moves the clock on, for events that follow each other. */
  pass(ms: number): void
  /** Runs the workers that act when a time has come. */
  round(): Promise<void>
}

/** One upkeep of many days costs less than several of a few days, and people wait. */
const UPKEEP_DAYS = 10

/**
 * Carries out all moves in the order of their times, with the clock at the time of each. Workers run
 * after each move from `deliversFrom` on, so that webhooks are sent when they are due, and the audit
 * log and the sums are kept every few days.
 */
export async function play(
  { clock, round, upkeep }: Pick<DemoGateway, 'clock' | 'round' | 'upkeep'>,
  planned: readonly Move[],
  { deliversFrom, tell }: { readonly deliversFrom: Instant; tell(part: number): void },
): Promise<void> {
  const queue = [...planned].sort(byTime)
  const first = queue[0]?.at ?? 0
  const last = queue.at(-1)?.at ?? first
  let now = first
  let day = Math.floor(first / DAY_MS)
  const stage: Stage = {
    later(ms, run) {
      const at = now + ms
      const place = queue.findIndex((move) => move.at > at)
      queue.splice(place < 0 ? queue.length : place, 0, { at, run })
    },
    pass(ms) {
      now += ms
      clock.set(now)
    },
    round,
  }
  for (let move = queue.shift(); move; move = queue.shift()) {
    // Something that should happen after the end of the past never happens.
    if (move.at > last) break
    now = Math.max(now, move.at)
    clock.set(now)
    const today = Math.floor(now / DAY_MS)
    if (today > day) {
      day = today
      if (day % UPKEEP_DAYS === 0) await upkeep()
      tell((now - first) / (last - first))
    }
    await move.run(stage)
    if (now >= deliversFrom) await round()
  }
  tell(1)
}

function byTime(a: Move, b: Move): number {
  return a.at - b.at
}
