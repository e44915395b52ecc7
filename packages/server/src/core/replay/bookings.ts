import type { Decision } from '../decision/decide.ts'
import { type Part, partsOf } from '../decision/parts.ts'
import { type Policy, seriesOf } from '../mandates/policy.ts'
import type { Instant } from '../time/instant.ts'
import { isSpendOfItsOwn, spendOf } from '../transaction.ts'
import type { PastDecision } from './past-decision.ts'
import { createProposedWorld, type ProposedWorld, type ReplayedSpend } from './proposed-world.ts'
import type { Rebooked } from './shift.ts'
import { partsAtFirst, type Step, stepsOf } from './steps.ts'
import { createTimeline } from './timeline.ts'

/** Books in the world that is replayed what is decided there, and what becomes of it. */
export interface Bookings {
  readonly world: ProposedWorld
  /** How much is remembered for what is still to come. */
  readonly size: number
  /** Lets everything happen that became of earlier transactions up to this instant. */
  advance(to: Instant): void
  /** A transaction stays as it was decided; `isCounted` says whether the proposed rules count it. */
  keep(past: PastDecision, isCounted: boolean): void
  /** An approval falls, and takes along what became of it. */
  drop(past: PastDecision, line: readonly Policy[], steps: readonly Step[]): void
  /** What passes now counts as settled in full at its instant. */
  add(past: PastDecision, decision: Decision, line: readonly Policy[]): void
}

interface BookingParts {
  readonly organizationId: string
  readonly agentId: string
  /** The proposed rules, for what is counted by them. */
  readonly counting: Policy
}

export function createBookings({ organizationId, agentId, counting }: BookingParts): Bookings {
  const world = createProposedWorld()
  const timeline = createTimeline()
  const counts = seriesOf(counting).length > 0

  function replayed(past: PastDecision): ReplayedSpend {
    const spend = spendOf(past, organizationId)
    return { spend, isSpend: isSpendOfItsOwn(past), createdAt: past.createdAt }
  }

  /** Runs each step that is news, when its time has come, with how the money was booked before it. */
  function follow(
    first: readonly Part[],
    steps: readonly Step[],
    isNews: (change: Rebooked) => boolean,
    run: (change: Rebooked, at: Instant) => void,
  ): void {
    let before = first
    for (const { at, parts: after } of steps) {
      const change = { before, after }
      // What waits is in memory, and most refunds come long after.
      if (isNews(change)) timeline.add({ at, run: () => run(change, at) })
      before = after
    }
  }

  return {
    world,
    get size() {
      return world.size + timeline.size
    },
    advance: timeline.advance,
    keep(past, isCounted) {
      const [isCountedHere, isOwn] = [isCounted && counts, past.agentId === agentId]
      if (past.decision !== 'approved' || !(isCountedHere || isOwn)) return
      const of = replayed(past)
      const steps = stepsOf(past)
      // Where its steps are not kept, it is taken as what it came to.
      const first = steps ? partsAtFirst(past) : partsOf(past)
      const run = (change: Rebooked, at: Instant): void => {
        if (isCountedHere) world.countOwn(counting, of, change, at)
        if (isOwn) world.learn(of, change.after)
      }
      run({ before: [], after: first }, past.createdAt)
      follow(first, steps ?? [], isOtherThanRefund, run)
    },
    drop(past, line, steps) {
      const of = replayed(past)
      const first = partsAtFirst(past)
      world.touch(past.vendor)
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
      world.deviate(line, of, change, at)
      world.countOwn(counting, of, change, at)
      world.learn(of, after)
    },
  }
}

/** A refund changes neither what limits count nor what a vendor was paid. */
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
