import type { Micros } from '../../../core/money.ts'
import type {
  CaptureFact,
  Fact,
  ForeignFact,
  ReleaseFact,
  RequestFact,
  SnapshotFact,
} from './facts.ts'
import { convert } from './other-currency.ts'

/** What follows from the facts of an authorization. */
export interface Balances {
  /** What may still be captured. */
  readonly held: Micros
  readonly captured: Micros
  /** At most what was captured: a refund that comes before its capture waits. */
  readonly refunded: Micros
  /** How a hold ended of which nothing was captured. */
  readonly end: 'voided' | 'expired'
  /** The requests that were approved and hold something, in the order in which the issuer asked. */
  readonly approved: readonly RequestFact[]
  /**
   * The most that moved or was set aside beyond all approved requests, where we did not approve the
   * first one. It never falls to zero again, so that what is recorded of it does not depend on the
   * order of events. Zero where we approved: what is beyond belongs to that purchase then.
   */
  readonly ungoverned: Micros
  /** The issuer has set more aside than it had asked for. */
  readonly isRaised: boolean
  /** More was captured than was ever approved or set aside. */
  readonly isOverCaptured: boolean
  /** Something was captured after the hold had been given up. */
  readonly isCapturedLate: boolean
  /** The organization ended the hold, because the issuer was silent. */
  readonly isEndedByHand: boolean
  /** Money in another currency of which nobody has said what it came to. */
  readonly foreign: readonly ForeignFact[]
}

/** The sums of an authorization. The same facts give the same sums, in whatever order they came. */
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
  return {
    held,
    captured,
    refunded: within(sumOf(facts.filter((fact) => fact.kind === 'refund')), captured),
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
 * What was captured in another currency has left what the issuer says is held, but nobody knows how
 * much it was. So the hold stays as it was before.
 */
function isWaitingFor({ of, moneyId, at }: ForeignFact, snapshot: SnapshotFact): boolean {
  if (of !== 'capture') return false
  const isEnd = snapshot.status !== 'pending' || !snapshot.isApproved
  return snapshot.captures.includes(moneyId) || (isEnd && snapshot.at >= at)
}

/** Checks of a card hold nothing, so nothing follows from them. */
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
 * What the issuer says, and what we approved that it does not include yet. What was given up or
 * captured since has left it.
 */
function heldOf({ approved, snapshots, captures, releases, latest, isCovered }: Known): Micros {
  const isOpen = latest === undefined || (latest.status === 'pending' && latest.isApproved)
  // An open one that names no amount changes nothing, so what was said before it still counts.
  const anchor = isOpen ? latestOf(snapshots.filter(saysWhatIsLeft)) : latest
  const base = isOpen ? amountOf(anchor) : 0n
  const uncovered = approved.filter((request) => !anchor || !isCovered(request, anchor))
  const isLater = ({ at }: { readonly at: number }): boolean => !anchor || at > anchor.at
  const released = releases.filter(isLater)
  // Nothing is left for a capture to take of what has ended, except of what was approved later.
  const taken = captures.filter(
    (capture) => !anchor?.captures.includes(capture.id) && (isOpen || isLater(capture)),
  )
  return within(base + sumOf(uncovered) - sumOf(released) - sumOf(taken), null)
}

function saysWhatIsLeft({ status, isApproved, amount }: SnapshotFact): boolean {
  return status === 'pending' && isApproved && amount !== null
}

/** Of two of the same instant, the one after which nothing can follow; then any, but always the same. */
function latestOf(snapshots: readonly SnapshotFact[]): SnapshotFact | undefined {
  const rank = ({ status }: SnapshotFact): number => (status === 'pending' ? 0 : 1)
  const covers = (snapshot: SnapshotFact): number => snapshot.covers ?? 0
  return snapshots.toSorted(
    (a, b) => b.at - a.at || covers(b) - covers(a) || rank(b) - rank(a) || byId(b, a),
  )[0]
}

/** Whether what a snapshot shows includes a request. */
type IsCovered = (request: RequestFact, snapshot: SnapshotFact) => boolean

/** A confirmation may be stamped before its request by this much: clocks of one issuer differ. */
const STAMPED_BEFORE_MS = 1_000

/**
 * By number where the issuer counts its requests, by name where it names the last that it includes, else
 * by time. A request that is stamped a little later is included only where the confirmed amount has room
 * for it: otherwise it is an increment.
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

/** The most that one of the snapshots shows beyond the approved requests that it includes. */
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
  let most = 0n
  for (const amount of amounts) if (amount > most) most = amount
  return most
}

function within(amount: Micros, most: Micros | null): Micros {
  if (amount < 0n) return 0n
  return most !== null && amount > most ? most : amount
}

function sumOf(facts: readonly { readonly amount: Micros }[]): Micros {
  return facts.reduce((sum, { amount }) => sum + amount, 0n)
}
