import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { categoryOfMcc } from '../mapping/mcc.ts'
import type { Fact, SnapshotFact } from './facts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * An issuer confirms an approval within seconds; after a day without confirmation, the hold is overdue.
 */
export const UNCONFIRMED_MS = DAY_MS
const PENDING_MS = 7 * DAY_MS
/** Hotels, airlines and car rentals capture when the journey is over. */
const PENDING_ON_JOURNEYS_MS = 31 * DAY_MS

/**
 * Returns the time after which a hold is overdue, because captures rarely come later. Undefined if
 * nothing is held. It does not end the hold: the issuer may only be silent. The time counts from the
 * last request or snapshot, by whichever clock is later. An earlier end would change nothing, and the
 * worker would check the hold forever.
 */
export function holdEndOf(
  held: Micros,
  facts: readonly Fact[],
  { since, mcc }: { readonly since: Instant; readonly mcc: string | null },
): Instant | undefined {
  if (held === 0n) return undefined
  const snapshots = facts.filter((fact) => fact.kind === 'snapshot')
  const told = snapshots.filter(({ status }) => status !== 'lapsed' && status !== 'by_hand')
  const asked = facts.filter((fact) => fact.kind === 'request')
  const last = Math.max(since, ...[...told, ...asked].map(({ at }) => at))
  if (told.length === 0) return last + UNCONFIRMED_MS
  return last + (categoryOfMcc(mcc) === 'travel' ? PENDING_ON_JOURNEYS_MS : PENDING_MS)
}

/** The fact that an overdue hold has lapsed. Later events of the issuer still count. */
export function lapsedAt(at: Instant): SnapshotFact {
  return {
    kind: 'snapshot',
    id: `lapsed:${at}`,
    at,
    isApproved: true,
    status: 'lapsed',
    amount: null,
    covers: null,
    captures: [],
  }
}

/** How long the issuer must have been silent about a hold before a person can end it. */
const SILENCE_MS = DAY_MS

/**
 * Returns the time from which a person can end a hold: a day after the issuer's last request or event.
 * Times in the future are ignored, because they come from an issuer whose clock is wrong.
 */
export function endableFrom(facts: readonly Fact[], since: Instant, now: Instant): Instant {
  const heard = facts.map(({ at }) => at).filter((at) => at <= now)
  return Math.max(since, ...heard) + SILENCE_MS
}

/**
 * Moves an end that was set back to its time of receipt behind all known facts. Earlier facts may be
 * stamped slightly ahead, and the end must still end them: otherwise the hold would stay for good.
 */
export function afterAllKnown<Told extends Fact>(end: Told, known: readonly Fact[]): Told {
  const isEnd = end.kind === 'snapshot' && end.status !== 'pending' && end.isApproved
  if (!isEnd) return end
  return { ...end, at: Math.max(end.at, ...known.map(({ at }) => at + 1)) }
}

/** A person's statement that no more money will move. It ends all known facts, but no later ones. */
export function endedByHand(facts: readonly Fact[]): SnapshotFact {
  const at = Math.max(...facts.map((fact) => fact.at)) + 1
  return { ...lapsedAt(at), id: `by_hand:${at}`, status: 'by_hand' }
}
