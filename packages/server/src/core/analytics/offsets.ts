import type { Instant } from '../time/instant.ts'
import { type Zone, zoneOf } from '../time/zone.ts'

/**
 * The UTC offsets of a time zone, and the instant from which each applies. The first also applies
 * before it.
 */
export interface Offsets {
  readonly starts: readonly Instant[]
  readonly aheadMs: readonly number[]
}

/** No decision is older. */
const BEGINNING: Instant = Date.UTC(2020, 0, 1)
const DAY_MS = 86_400_000
/** How far into the future offsets are computed, so that this is rarely needed. */
const AHEAD_MS = 400 * DAY_MS

interface Known extends Offsets {
  readonly until: Instant
}

// There are a few hundred zones. Walking through the years of one takes about a millisecond.
const KNOWN = new Map<string, Known>()

/**
 * The database uses these offsets to find the day of a decision. It does not use its own time zone
 * tables: they may be older than ours, and days must begin at the same instant everywhere.
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
  // The clock of a test may show any time, and the first decision may be at any time.
  return { starts, aheadMs: starts.map((at) => zone.offsetAt(at)), until: until - DAY_MS }
}
