import type { Lift, Permit } from '../approvals/permit.ts'
import type { Counter } from '../counters/counter.ts'
import type { Account, VendorHistory } from '../decision/account.ts'
import { decide } from '../decision/decide.ts'
import { liftOf } from '../decision/evaluate.ts'
import { DEADLINE_PASSED } from '../decision/late.ts'
import type { Policy } from '../mandates/policy.ts'
import { createBookings } from './bookings.ts'
import {
  accountOf,
  countersOf,
  type KeptInputs,
  type KeptMandate,
  readInputs,
} from './kept-inputs.ts'
import type { Judged, PastDecision, Replayed } from './past-decision.ts'
import { type ProposedWorld, shiftedLine } from './proposed-world.ts'
import { toSeriesKey } from './shift.ts'
import { stepsOf } from './steps.ts'

interface ReplayParts {
  readonly organizationId: string
  readonly agentId: string
  readonly mandateId: string
  /** The mandate and all below it: whatever is spent under them is counted by its rules. */
  readonly treeIds: ReadonlySet<string>
  /** A version as it judged then. */
  readonly recorded: (mandate: KeptMandate) => Policy
  /** The terms of a version of the mandate, with the proposed rules. */
  readonly proposed: (version: number) => Policy
  /** The proposed rules with the terms of today, for what is only counted. */
  readonly counting: Policy
}

export interface Replay {
  /** How many counters, vendors and steps to come it remembers. */
  readonly size: number
  /** Undefined for a transaction that is only counted. They come in the order of their commits. */
  next(past: PastDecision): Replayed | undefined
}

/**
 * Judges the past of an agent by other rules, with the same `decide`. What each decision was made from
 * is in the record; a decision that flips changes what all later ones are judged by.
 */
export function createReplay(parts: ReplayParts): Replay {
  const { organizationId, agentId, mandateId, treeIds } = parts
  const bookings = createBookings(parts)

  function judge(past: PastDecision): Replayed {
    const { inputs: text, createdAt: at } = past
    if (text === null) {
      bookings.keep(past, true)
      return { kind: 'left', past, why: past.isPruned ? 'details_removed' : 'inputs_not_kept' }
    }
    const inputs = readInputs(text, organizationId, past)
    const policies = inputs.mandates.map(parts.recorded)
    const counters = countersOf(inputs, policies, at)
    if (isFixed(past, inputs, policies, counters)) {
      bookings.keep(past, true)
      return { kind: 'recorded', past }
    }
    if (inputs.vendor?.lastAmount === null) bookings.world.introduce(past.vendor, inputs.vendor)
    const account = accountThen(parts, bookings.world, { past, inputs, policies, counters })
    const decision = decide(inputs.spend, account, at)
    return book({ kind: 'judged', past, decision }, account)
  }

  /** What flips is booked as it would have been; all else stays as it was. */
  function book(judged: Judged, { mandates }: Account): Replayed {
    const { past, decision } = judged
    const line = mandates.map(({ policy }) => policy)
    const isFlipped = past.decision !== decision.decision
    if (!isFlipped) bookings.keep(past, true)
    else if (decision.decision === 'approved') bookings.add(past, decision, line)
    else return drop(judged, line)
    return judged
  }

  function drop(judged: Judged, line: readonly Policy[]): Replayed {
    const { past } = judged
    const steps = stepsOf(past)
    if (steps) {
      bookings.drop(past, line, steps)
      return judged
    }
    bookings.keep(past, true)
    return { kind: 'left', past, why: 'changes_not_kept' }
  }

  return {
    get size() {
      return bookings.size
    },
    next(past) {
      bookings.advance(past.createdAt)
      if (past.agentId === agentId && past.mandateId === mandateId) return judge(past)
      bookings.keep(past, past.mandateId !== null && treeIds.has(past.mandateId))
      return undefined
    },
  }
}

/** What no rule decided: money that had moved, a deadline, or a past that was still being counted. */
function isFixed(
  { code }: PastDecision,
  { judging }: KeptInputs,
  policies: readonly Policy[],
  counters: ReadonlyMap<string, Counter | undefined>,
): boolean {
  if (judging === 'record' || code === DEADLINE_PASSED) return true
  return policies.some(({ marks }) => marks.some((mark) => counters.get(mark)))
}

/** A decision with everything that it was made from. */
interface Read {
  readonly past: PastDecision
  readonly inputs: KeptInputs
  readonly policies: readonly Policy[]
  readonly counters: ReadonlyMap<string, Counter | undefined>
}

/** The account as it would be in the world that is replayed. */
function accountThen(
  { mandateId, recorded, proposed }: ReplayParts,
  world: ProposedWorld,
  read: Read,
): Account {
  const { inputs, past } = read
  const policyOf = (mandate: KeptMandate): Policy =>
    mandate.id === mandateId ? proposed(mandate.version) : recorded(mandate)
  const account = accountOf({ ...inputs, counters: null }, policyOf, past.createdAt)
  const bySeries = new Map([...read.counters].map(([key, counter]) => [toSeriesKey(key), counter]))
  const counter = (key: string): Counter | undefined => {
    const series = toSeriesKey(key)
    // The rules of then did not count this, so the replay has counted it.
    if (!bySeries.has(series) && series.startsWith(mandateId)) return world.ownCounter(key)
    return world.shift.counter(key, bySeries.get(series))
  }
  return {
    ...account,
    mandates: shiftedLine(world, account.mandates, past.createdAt),
    permit: account.permit && permitThen(account, account.permit, read.policies),
    usage: { ...account.usage, counter, isRead: () => true, vendor: vendorThen(world, read) },
  }
}

/**
 * What a person has allowed stays allowed where a rule was changed or put in: it asks about the same
 * spend. A rule that stood then and was not lifted is not lifted now either.
 */
function permitThen({ mandates }: Account, permit: Permit, then: readonly Policy[]): Permit {
  const asked = mandates.flatMap(({ policy }) => liftsOf(policy))
  const stood = new Set(then.flatMap(liftsOf).map(({ settingsHash }) => settingsHash))
  const lifted = new Set(permit.lifts.map(({ settingsHash }) => settingsHash))
  const isLifted = ({ settingsHash }: Lift) => lifted.has(settingsHash) || !stood.has(settingsHash)
  return { ...permit, lifts: [...permit.lifts, ...asked.filter(isLifted)] }
}

function liftsOf(policy: Policy): Lift[] {
  return policy.rules.flatMap((rule) => liftOf(rule, policy) ?? [])
}

/** What the record says of the vendor, unless nobody asked then or a flip has changed it. */
function vendorThen(world: ProposedWorld, { inputs, policies }: Read): VendorHistory | undefined {
  const { spend, vendor } = inputs
  const wasRead = policies.some(({ needsVendorHistory }) => needsVendorHistory)
  return wasRead && !world.isTouched(spend.vendor) ? vendor : world.vendor(spend.vendor)
}
