import { isSameCurrency } from '../currency.ts'
import type { Decision } from '../decision/decide.ts'
import { type Part, partsOf } from '../decision/parts.ts'
import { type Policy, seriesOf } from '../mandates/policy.ts'
import type { Instant } from '../time/instant.ts'
import { isSpendOfItsOwn, spendOf } from '../transaction.ts'
import { createProposedWorld, type ProposedWorld, type ReplayedSpend } from './proposed-world.ts'
import type { RecordedDecision } from './recorded-decision.ts'
import { createShift, type Rebooked, type Shift } from './shift.ts'
import { partsAtFirst, type Step, stepsOf } from './steps.ts'
import { createTimeline } from './timeline.ts'

/**
 * Books the decisions of a replay, and the later steps of their transactions, in the replayed world.
 */
export interface Bookings {
  readonly world: ProposedWorld
  /** The figures of the tested mandate, if the replay keeps its own; otherwise undefined. */
  readonly ledger: Shift | undefined
  /** The number of remembered counters, vendors and future steps. */
  readonly size: number
  /** Runs all steps of earlier transactions up to this instant. */
  advance(to: Instant): void
  /**
   * Keeps a transaction as it was decided; `isCounted` says whether the proposed rules and the ledger
   * count it.
   */
  keep(past: RecordedDecision, isCounted: boolean): void
  /** Takes back an approval that is now a rejection, with all its later steps. */
  drop(past: RecordedDecision, line: readonly Policy[], steps: readonly Step[]): void
  /** Adds a spend that is now approved. It counts as settled in full at its instant. */
  add(past: RecordedDecision, decision: Decision, line: readonly Policy[]): void
}

interface BookingParts {
  readonly organizationId: string
  readonly agentId: string
  /** The proposed rules, which count the kept and added spends. */
  readonly counting: Policy
  readonly isWholeHistory?: boolean
}

export function createBookings(parts: BookingParts): Bookings {
  const { organizationId, agentId, counting } = parts
  const world = createProposedWorld()
  // Without figures in the record, all of the money is a difference from zero.
  const ledger = parts.isWholeHistory ? createShift() : undefined
  const timeline = createTimeline()
  const counts = seriesOf(counting).length > 0

  function replayed(past: RecordedDecision): ReplayedSpend {
    const spend = spendOf(past, organizationId)
    return { spend, isSpend: isSpendOfItsOwn(past), createdAt: past.createdAt }
  }

  /**
   * Spends under other mandates may be in another currency. No budget or limit can include these. All
   * spends under one mandate are in its currency.
   */
  function isInCurrency({ currency }: RecordedDecision): boolean {
    return !ledger || currency === null || isSameCurrency(currency, counting.terms.currency)
  }

  /** Schedules each relevant step at its time, with the booking before and after it. */
  function follow(
    first: readonly Part[],
    steps: readonly Step[],
    isNews: (change: Rebooked) => boolean,
    run: (change: Rebooked, at: Instant) => void,
  ): void {
    let before = first
    for (const { at, parts: after } of steps) {
      const change = { before, after }
      // Scheduled steps take memory, and most refunds come long after the spend.
      if (isNews(change)) timeline.add({ at, run: () => run(change, at) })
      before = after
    }
  }

  return {
    world,
    ledger,
    get size() {
      return world.size + timeline.size
    },
    advance: timeline.advance,
    keep(past, isCounted) {
      const isOwn = past.agentId === agentId
      const isCountedHere = isCounted && counts && isInCurrency(past)
      const isBooked = isCounted && ledger !== undefined && isInCurrency(past)
      if (past.decision !== 'approved' || !(isCountedHere || isBooked || isOwn)) return
      const of = replayed(past)
      const steps = stepsOf(past)
      // If its steps are not stored, the transaction's final booking is used from the start.
      const first = steps ? partsAtFirst(past) : partsOf(past)
      const run = (change: Rebooked, at: Instant): void => {
        if (isCountedHere) world.countOwn(counting, of, change, at)
        if (isBooked) ledger?.book([counting], change, at)
        if (isOwn) world.learn(of, change.after)
      }
      run({ before: [], after: first }, past.createdAt)
      follow(first, steps ?? [], isBooked ? () => true : isOtherThanRefund, run)
    },
    drop(past, line, steps) {
      const of = replayed(past)
      const first = partsAtFirst(past)
      world.touch(past.vendor)
      // The ledger never had the approval, so there is nothing to take back.
      if (ledger) return
      world.deviate(line, of, { before: first, after: [] }, past.createdAt)
      const takeBack = ({ before, after }: Rebooked, at: Instant): void =>
        world.deviate(line, of, { before: after, after: before }, at)
      follow(first, steps, () => true, takeBack)
    },
    add(past, { spend, at }, line) {
      const of = { spend, isSpend: isSpendOfItsOwn(past), createdAt: past.createdAt }
      const after = partsAtFirst({ createdAt: at, isHold: false, amount: spend.amount })
      const change = { before: [], after }
      world.touch(past.vendor)
      if (ledger) ledger.book([counting], change, at)
      else world.deviate(line, of, change, at)
      world.countOwn(counting, of, change, at)
      world.learn(of, after)
    },
  }
}

/** A refund changes neither a limit's count nor the amount that a vendor was paid. */
function isOtherThanRefund({ before, after }: Rebooked): boolean {
  return (
    before.length !== after.length ||
    before.some((part, index) => {
      const next = after[index]
      return (
        part.held !== next?.held || part.settled + part.refunded !== next.settled + next.refunded
      )
    })
  )
}
