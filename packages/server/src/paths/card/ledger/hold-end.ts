import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { categoryOfMcc } from '../mapping/mcc.ts'
import type { Fact, SnapshotFact } from './facts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An issuer confirms what it approved within seconds. */
export const UNCONFIRMED_MS = DAY_MS
const PENDING_MS = 7 * DAY_MS
/** Hotels, airlines and car rentals capture when the journey is over. */
const PENDING_ON_JOURNEYS_MS = 31 * DAY_MS

/**
 * When the time of a hold is over, after which nothing is captured any more as a rule. Undefined where
 * nothing is held. It does not end the hold: the issuer may only be silent. The time counts from the
 * last that was asked or told of it, by whichever clock is later. An end before that would change
 * nothing, and the worker would look again without end.
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

/** What is written where the time of a hold is over. Anything that the issuer says of later counts. */
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

/** For how long the issuer must have been silent about a hold before a person can end it. */
const SILENCE_MS = DAY_MS

/**
 * From when on a person can end a hold: a day after the issuer asked or told something of it last. A
 * time that is still to come counts for nothing, as an issuer whose clock is wrong says nothing either.
 */
export function endableFrom(facts: readonly Fact[], since: Instant, now: Instant): Instant {
  const heard = facts.map(({ at }) => at).filter((at) => at <= now)
  return Math.max(since, ...heard) + SILENCE_MS
}

/**
 * An end whose time was set back to that of its receipt. What was heard before may be stamped a little
 * ahead and is still ended by it: otherwise the hold would stay for good.
 */
export function afterAllKnown<Told extends Fact>(end: Told, known: readonly Fact[]): Told {
  const isEnd = end.kind === 'snapshot' && end.status !== 'pending' && end.isApproved
  if (!isEnd) return end
  return { ...end, at: Math.max(end.at, ...known.map(({ at }) => at + 1)) }
}

/** A person's word that no money moves any more. It ends all that is known, and nothing later. */
export function endedByHand(facts: readonly Fact[]): SnapshotFact {
  const at = Math.max(...facts.map((fact) => fact.at)) + 1
  return { ...lapsedAt(at), id: `by_hand:${at}`, status: 'by_hand' }
}
