import type { Lift, Permit } from '../approvals/permit.ts'
import type { Counter } from '../counters/counter.ts'
import type { Account, VendorHistory } from '../decision/account.ts'
import { decide } from '../decision/decide.ts'
import { liftOf } from '../decision/evaluate.ts'
import { DEADLINE_PASSED } from '../decision/late.ts'
import type { Policy } from '../mandates/policy.ts'
import type { Micros } from '../money.ts'
import type { Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import { type Bookings, createBookings } from './bookings.ts'
import {
  accountOf,
  countersOf,
  type KeptInputs,
  type KeptMandate,
  readInputs,
} from './kept-inputs.ts'
import { type ProposedWorld, shiftedLine } from './proposed-world.ts'
import type { Judged, RecordedDecision, Replayed } from './recorded-decision.ts'
import { type Shift, toSeriesKey } from './shift.ts'
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
  /** Replaces the budget that the mandate had at each decision. */
  readonly budgetTotal?: Micros | undefined
  /** Only decisions from `from` on and before `until` are judged. The others keep their outcome. */
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
  /**
   * Judges the agent's spends under all of its mandates, as if the tested one had been active all the
   * time. The record has no figures for that, so the replay keeps its own.
   */
  readonly isWholeHistory?: boolean
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
  const { organizationId, agentId, mandateId, treeIds, isWholeHistory = false } = parts
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
    const read = { past, inputs, policies, counters }
    const account = accountFor(parts, bookings, read)
    const decision = decide(spendFor(parts, read), account, at)
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
      const isTested = isUnderTested(past)
      if (isTested && isInRange(parts, past)) return judge(past)
      bookings.keep(past, isTested || (past.mandateId !== null && treeIds.has(past.mandateId)))
      return undefined
    },
  }

  /** Without any mandate, no rule has judged the spend. */
  function isUnderTested(past: RecordedDecision): boolean {
    if (past.agentId !== agentId) return false
    return isWholeHistory ? past.mandateId !== null : past.mandateId === mandateId
  }
}

function isInRange({ from, until }: ReplayParts, { createdAt }: RecordedDecision): boolean {
  return (from === undefined || createdAt >= from) && (until === undefined || createdAt < until)
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

function accountFor(parts: ReplayParts, { world, ledger }: Bookings, read: Read): Account {
  return ledger ? accountAsIf(parts, world, ledger, read) : accountThen(parts, world, read)
}

/** The spend as the tested mandate judges it. */
function spendFor({ isWholeHistory }: ReplayParts, { inputs: { spend }, past }: Read): Spend {
  // Without a currency of its own, the spend was in the currency of the mandate of that time.
  return isWholeHistory ? { ...spend, currency: spend.currency ?? past.currency } : spend
}

/** The account as if the tested mandate had been the agent's all the time. It has no parents here. */
function accountAsIf(
  { counting: policy, agentId }: ReplayParts,
  world: ProposedWorld,
  ledger: Shift,
  read: Read,
): Account {
  const { inputs, past } = read
  const account = accountOf({ ...inputs, mandates: [], counters: null }, noPolicy, past.createdAt)
  const { budgetTotal } = policy.terms
  const nothing = { spent: 0n, held: 0n, overdrawn: 0n, periodStart: null }
  const own = { policy, agentId, status: 'active' as const, budgetTotal, ...nothing }
  const mandates = [ledger.account(own, past.createdAt)]
  return {
    ...account,
    mandates,
    permit: account.permit && permitThen({ mandates }, account.permit, read.policies),
    usage: {
      ...account.usage,
      counter: world.ownCounter,
      isRead: () => true,
      vendor: vendorThen(world, read),
    },
  }
}

function noPolicy(): never {
  throw new Error('A list without mandates has no policies.')
}

/** The account in the replayed world. */
function accountThen(
  { mandateId, recorded, proposed, budgetTotal }: ReplayParts,
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
    mandates: shiftedLine(world, account.mandates, past.createdAt).map((mandate) =>
      mandate.policy.mandateId === mandateId && budgetTotal !== undefined
        ? { ...mandate, budgetTotal }
        : mandate,
    ),
    permit: account.permit && permitThen(account, account.permit, read.policies),
    usage: { ...account.usage, counter, isRead: () => true, vendor: vendorThen(world, read) },
  }
}

/**
 * A person's approval also lifts changed or added rules, because they ask about the same spend. A rule
 * that existed at that time and was not lifted is not lifted now either.
 */
function permitThen(
  { mandates }: Pick<Account, 'mandates'>,
  permit: Permit,
  then: readonly Policy[],
): Permit {
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
