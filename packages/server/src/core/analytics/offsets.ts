import type { Instant } from '../time/instant.ts'
import { type Zone, zoneOf } from '../time/zone.ts'

/** From when on the clocks of a zone are how far ahead of UTC. The first counts for all before, too. */
export interface Offsets {
  readonly starts: readonly Instant[]
  readonly aheadMs: readonly number[]
}

/** Nothing was decided before. */
const BEGINNING: Instant = Date.UTC(2020, 0, 1)
const DAY_MS = 86_400_000
/** How far ahead of the time they are known, so that they need not be asked for often. */
const AHEAD_MS = 400 * DAY_MS

interface Known extends Offsets {
  readonly until: Instant
}

// There are a few hundred zones. Walking through the years of one takes about a millisecond.
const KNOWN = new Map<string, Known>()

/**
 * By these the database finds the day of a decision. It is not asked to know the zone itself: its
 * tables of zones may be older than ours, and a day must begin when we say that it does.
 */
export function offsetsOf(timezone: string, now: Instant): Offsets {
  const known = KNOWN.get(timezone)
  if (known && now < known.until) return known
  const found = findOffsets(zoneOf(timezone), now + AHEAD_MS)
  KNOWN.set(timezone, found)
  return found
}

function findOffsets(zone: Zone, until: Instant): Known {
  const starts: Instant[] = []
  for (let at = BEGINNING; at < until; at = zone.nextChange(at)) starts.push(at)
  // The clocks of a test may be anywhere, and so may the first decision.
  return { starts, aheadMs: starts.map((at) => zone.offsetAt(at)), until: until - DAY_MS }
}
