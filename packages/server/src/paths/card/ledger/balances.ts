import { larger, smaller } from '../../../core/bigint.ts'
import type { Micros } from '../../../core/money.ts'
import { type CardCategory, categoryOfMcc } from '../mapping/mcc.ts'
import type {
  CaptureFact,
  Fact,
  ForeignFact,
  ReleaseFact,
  RequestFact,
  SnapshotFact,
} from './facts.ts'
import { convert } from './other-currency.ts'

/** The sums and flags that the facts of an authorization add up to (ADR 37). */
export interface Balances {
  /** The amount that may still be captured. */
  readonly held: Micros
  readonly captured: Micros
  /**
   * At least 0 and at most the captured amount: a refund that arrives before its capture waits, and so
   * does the reversal of a refund that arrives before it.
   */
  readonly refunded: Micros
  /** How an uncaptured hold ended. */
  readonly end: 'voided' | 'expired'
  /** The approved requests with an amount, in the order of the issuer's requests. */
  readonly approved: readonly RequestFact[]
  /**
   * The largest amount that moved or was held beyond all approved requests, if we did not approve the
   * first one. It never falls to zero again, so that the recorded transaction does not depend on the
   * order of events. Zero if we approved the first request: an excess then belongs to that purchase.
   */
  readonly ungoverned: Micros
  /** The issuer holds more than it requested. */
  readonly isRaised: boolean
  /** More was captured than was ever approved or held. */
  readonly isOverCaptured: boolean
  /** Money was captured after the hold had ended. */
  readonly isCapturedLate: boolean
  /** A person of the organization ended the hold, because the issuer was silent. */
  readonly isEndedByHand: boolean
  /** Money in another currency that has no converted amount yet. */
  readonly foreign: readonly ForeignFact[]
}

/** Computes the sums of an authorization. The same facts give the same sums in any order. */
export function balancesOf(facts: readonly Fact[]): Balances {
  const requests = requestsOf(facts)
  const approved = requests.filter(({ isApproved }) => isApproved)
  const { captures, open: foreign, isByHand } = convert(facts)
  const snapshots = facts
    .filter((fact) => fact.kind === 'snapshot')
    .filter((snapshot) => !foreign.some((money) => isWaitingFor(money, snapshot)))
  const releases = facts.filter((fact) => fact.kind === 'release')
  const latest = latestOf(snapshots)
  const captured = sumOf(captures)
  const isCovered = coverage(requests, approved)
  const held = heldOf({ approved, snapshots, captures, releases, latest, isCovered })
  const asked = sumOf(approved)
  const open = snapshots.filter(({ status }) => status === 'pending')
  const isGoverned = requests[0]?.isApproved === true
  const returned = sumOf(facts.filter((fact) => fact.kind === 'refund'))
  return {
    held,
    captured,
    refunded: larger(smaller(returned, captured), 0n),
    end: latest && isPastItsTime(latest) ? 'expired' : 'voided',
    approved,
    ungoverned: isGoverned
      ? 0n
      : largest([
          mostBeyond(snapshots, approved, isCovered),
          captured - asked,
          held + captured - asked,
        ]),
    isRaised: isGoverned && mostBeyond(open, approved, isCovered) > 0n,
    isOverCaptured: isGoverned && captured > largest([asked, ...open.map(amountOf)]),
    isCapturedLate: snapshots.some((snapshot) => isGivenUpBefore(snapshot, captures)),
    isEndedByHand: isByHand || snapshots.some(({ status }) => status === 'by_hand'),
    foreign,
  }
}

/**
 * Ignores snapshots that include a capture in another currency without a converted amount: the held
 * amount in them is reduced by an unknown part. So the hold keeps the amount that it had before.
 */
function isWaitingFor({ of, moneyId, at }: ForeignFact, snapshot: SnapshotFact): boolean {
  if (of !== 'capture') return false
  const isEnd = snapshot.status !== 'pending' || !snapshot.isApproved
  return snapshot.captures.includes(moneyId) || (isEnd && snapshot.at >= at)
}

/** Leaves out card verifications (amount 0): they hold nothing. */
function requestsOf(facts: readonly Fact[]): readonly RequestFact[] {
  return facts
    .filter((fact) => fact.kind === 'request')
    .filter(({ amount }) => amount > 0n)
    .sort(byTurn)
}

function byTurn(a: RequestFact, b: RequestFact): number {
  const isCounted = a.index !== null && b.index !== null
  return (isCounted ? Number(a.index) - Number(b.index) : 0) || a.at - b.at || byId(a, b)
}

interface Known {
  readonly approved: readonly RequestFact[]
  readonly snapshots: readonly SnapshotFact[]
  readonly captures: readonly CaptureFact[]
  readonly releases: readonly ReleaseFact[]
  readonly latest: SnapshotFact | undefined
  readonly isCovered: IsCovered
}

/**
 * The issuer's held amount plus the approved requests that it does not include yet, minus later
 * releases and captures.
 */
function heldOf({ approved, snapshots, captures, releases, latest, isCovered }: Known): Micros {
  const isOpen = latest === undefined || (latest.status === 'pending' && latest.isApproved)
  // An open snapshot without an amount changes nothing, so the one before it still counts.
  const anchor = isOpen ? latestOf(snapshots.filter(saysWhatIsLeft)) : latest
  const base = isOpen ? amountOf(anchor) : 0n
  const uncovered = approved.filter((request) => !anchor || !isCovered(request, anchor))
  const isLater = ({ at }: { readonly at: number }): boolean => !anchor || at > anchor.at
  const released = releases.filter(isLater)
  // Once a hold has ended, only captures of later approvals reduce the held amount.
  const taken = captures.filter(
    (capture) => !anchor?.captures.includes(capture.id) && (isOpen || isLater(capture)),
  )
  return larger(base + sumOf(uncovered) - sumOf(released) - sumOf(taken), 0n)
}

function saysWhatIsLeft({ status, isApproved, amount }: SnapshotFact): boolean {
  return status === 'pending' && isApproved && amount !== null
}

/**
 * For equal times: the snapshot that includes more requests, then the final one, then the larger id, so
 * that the choice is always the same.
 */
function latestOf(snapshots: readonly SnapshotFact[]): SnapshotFact | undefined {
  const rank = ({ status }: SnapshotFact): number => (status === 'pending' ? 0 : 1)
  const covers = (snapshot: SnapshotFact): number => snapshot.covers ?? 0
  return snapshots.toSorted(
    (a, b) => b.at - a.at || covers(b) - covers(a) || rank(b) - rank(a) || byId(b, a),
  )[0]
}

/** Whether a snapshot includes a request. */
type IsCovered = (request: RequestFact, snapshot: SnapshotFact) => boolean

/** The tolerance for a confirmation stamped before its request: the clocks of one issuer differ. */
const STAMPED_BEFORE_MS = 1_000

/**
 * Compares by index if the issuer counts its requests, by name if it names the last included one, else
 * by time. A request stamped a little later is included only if the confirmed amount has room for it:
 * otherwise it is an increment.
 */
function coverage(requests: readonly RequestFact[], approved: readonly RequestFact[]): IsCovered {
  const upTo = (request: RequestFact) => approved.filter((other) => byTurn(other, request) <= 0)
  return (request, snapshot) => {
    const { index, at } = request
    if (index !== null && snapshot.covers !== null) return index < snapshot.covers
    const named = requests.find(({ id }) => id === snapshot.ofRequest)
    if (named) return byTurn(request, named) <= 0
    if (at <= snapshot.at) return true
    const isLittleLater = at <= snapshot.at + STAMPED_BEFORE_MS
    return isLittleLater && saysWhatIsLeft(snapshot) && sumOf(upTo(request)) <= amountOf(snapshot)
  }
}

/** The largest amount by which a snapshot exceeds the approved requests that it includes. */
function mostBeyond(
  snapshots: readonly SnapshotFact[],
  approved: readonly RequestFact[],
  isCovered: IsCovered,
): Micros {
  const coveredBy = (snapshot: SnapshotFact) =>
    approved.filter((request) => isCovered(request, snapshot))
  return largest(snapshots.map((snapshot) => amountOf(snapshot) - sumOf(coveredBy(snapshot))))
}

function amountOf(snapshot: SnapshotFact | undefined): Micros {
  return snapshot?.isApproved ? (snapshot.amount ?? 0n) : 0n
}

function isPastItsTime({ status }: SnapshotFact): boolean {
  return status === 'expired' || status === 'lapsed'
}

function isGivenUpBefore(snapshot: SnapshotFact, captures: readonly CaptureFact[]): boolean {
  const { status } = snapshot
  const isGivenUp = status === 'reversed' || status === 'by_hand' || isPastItsTime(snapshot)
  return (
    isGivenUp && captures.some(({ id, at }) => at > snapshot.at && !snapshot.captures.includes(id))
  )
}

function byId(a: Fact, b: Fact): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

function largest(amounts: readonly Micros[]): Micros {
  return amounts.reduce(larger, 0n)
}

function sumOf(facts: readonly { readonly amount: Micros }[]): Micros {
  return facts.reduce((sum, { amount }) => sum + amount, 0n)
}

/** The percentages by which networks let merchants exceed the approved amount: tips, extras, damage. */
const TOLERANCES: ReadonlyMap<CardCategory, bigint> = new Map([
  ['restaurants', 20n],
  ['transport', 20n],
  ['personal_services', 20n],
  ['travel', 15n],
])

/** Whether the captured amount exceeds the tolerance for the merchant's trade. */
export function isBeyondTolerance(
  { approved, captured, isOverCaptured }: Balances,
  mcc: string | null,
): boolean {
  if (!isOverCaptured) return false
  const asked = approved.reduce((sum, { amount }) => sum + amount, 0n)
  const percent = 100n + (TOLERANCES.get(categoryOfMcc(mcc)) ?? 0n)
  return captured * 100n > asked * percent
}
