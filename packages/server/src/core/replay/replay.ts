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
import { type ProposedWorld, shiftedLine } from './proposed-world.ts'
import type { Judged, RecordedDecision, Replayed } from './recorded-decision.ts'
import { toSeriesKey } from './shift.ts'
import { stepsOf } from './steps.ts'

interface ReplayParts {
  readonly organizationId: string
  readonly agentId: string
  readonly mandateId: string
  /** The mandate and all its descendants: its rules count all spends under them. */
  readonly treeIds: ReadonlySet<string>
  /** The policy of a version, as it judged at that time. */
  readonly recorded: (mandate: KeptMandate) => Policy
  /** The terms of a version of the mandate, with the proposed rules. */
  readonly proposed: (version: number) => Policy
  /** The proposed rules with today's terms, for transactions that are only counted. */
  readonly counting: Policy
}

export interface Replay {
  /** The number of remembered counters, vendors and future steps. */
  readonly size: number
  /**
   * Takes transactions in the order of their commits. Returns undefined for one that is only counted.
   */
  next(past: RecordedDecision): Replayed | undefined
}

/**
 * Judges an agent's history by proposed rules, with the same `decide` (ADR 46). The inputs of each
 * decision are in the record; a flipped decision changes the inputs of all later ones.
 */
export function createReplay(parts: ReplayParts): Replay {
  const { organizationId, agentId, mandateId, treeIds } = parts
  const bookings = createBookings(parts)

  function judge(past: RecordedDecision): Replayed {
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

  /** Books a flipped decision with its new outcome; any other decision stays as it was. */
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

/**
 * Whether rules did not make the decision: the money had already moved, the deadline had passed, or a
 * rule's history was still being counted.
 */
function isFixed(
  { code }: RecordedDecision,
  { judging }: KeptInputs,
  policies: readonly Policy[],
  counters: ReadonlyMap<string, Counter | undefined>,
): boolean {
  if (judging === 'record' || code === DEADLINE_PASSED) return true
  return policies.some(({ marks }) => marks.some((mark) => counters.get(mark)))
}

/** A decision with all its inputs. */
interface Read {
  readonly past: RecordedDecision
  readonly inputs: KeptInputs
  readonly policies: readonly Policy[]
  readonly counters: ReadonlyMap<string, Counter | undefined>
}

/** The account in the replayed world. */
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
    // The original rules did not count this, so the counter is the replay's own.
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
 * A person's approval also lifts changed or added rules, because they ask about the same spend. A rule
 * that existed at that time and was not lifted is not lifted now either.
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

/**
 * The vendor's history in the record. If the decision did not read it, or a flip has changed it, the
 * replay's own history counts instead.
 */
function vendorThen(world: ProposedWorld, { inputs, policies }: Read): VendorHistory | undefined {
  const { spend, vendor } = inputs
  const wasRead = policies.some(({ needsVendorHistory }) => needsVendorHistory)
  return wasRead && !world.isTouched(spend.vendor) ? vendor : world.vendor(spend.vendor)
}
