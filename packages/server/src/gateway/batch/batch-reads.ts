import { type Counter, fromRow } from '../../core/counters/counter.ts'
import type { MandateAccount, VendorHistory } from '../../core/decision/account.ts'
import type { SpacedKey } from '../../core/idempotency.ts'
import { countersOf, needsVendorHistory, type Policy } from '../../core/mandates/policy.ts'
import { type Plan, usageMonth } from '../../core/plan.ts'
import type { Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import { beginBatch } from '../../storage/decisions/begin-batch.ts'
import { type DecisionKeyRow, findDecisionKeys } from '../../storage/decisions/decision-keys.ts'
import type { LockedMandate } from '../../storage/decisions/locked-mandates.ts'
import {
  type CounterRow,
  lockPlanUsage,
  readCounters,
  readSpenders,
  readVendorHistories,
  type SpenderRow,
  UNKNOWN_VENDORS,
  type VendorHistoryRow,
} from '../../storage/decisions/read-accounts.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { takeKeys } from '../../storage/idempotency.ts'
import type { Subscription } from '../../storage/webhooks/subscriptions.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import type { PolicyCache } from '../policy-cache.ts'
import type { Submission } from '../submission.ts'
import { type ApprovalReads, readApprovals } from './approval-reads.ts'
import {
  findDraftsOf,
  findLastOf,
  hasLostMandate,
  type Lines,
  linesOf,
  lockMandates,
  policiesOf,
} from './lines.ts'
import { type PathReads, readForPaths } from './path-reads.ts'

export interface BatchReadParts {
  readonly policyCache: PolicyCache
  readonly clock: Clock
  /** Set for a preview: nothing is locked, and the line may be that of a draft. */
  readonly preview?: PreviewReads
}

/** The reads of a preview that differ from those of a decision. */
export interface PreviewReads {
  mandates(tx: Tx): Promise<LockedMandate[]>
  /** The line of each agent, made from these mandates. */
  lines(tx: Tx, mandates: readonly LockedMandate[]): Promise<Lines>
}

/**
 * All data for judging a group of submissions of one organization. Rows that can change are locked.
 */
export interface BatchReads {
  readonly organizationId: string
  /**
   * The organization's stop count before anything else was read; null if nothing will be stored.
   */
  readonly stops: bigint | null
  /**
   * The database's clock after the locks were taken: the instant of every decision in the group.
   */
  readonly now: Instant
  readonly plan: Plan
  /** Whether the organization has a webhook, and for which events. */
  readonly subscription: Subscription
  /** Evaluations already counted this month; only read if the plan has a limit. */
  readonly used: number
  /** Keyed by `nameOf`. */
  readonly keys: ReadonlyMap<string, DecisionKeyRow>
  /** Whether this batch alone holds the key of a submission with a deadline. */
  hasTaken(key: SpacedKey): boolean
  /** Undefined when the organization has no such agent. */
  spender(agentId: string): SpenderRow | undefined
  /** The agent's mandate and its parents, in the state in which they were locked. */
  line(agentId: string): readonly MandateAccount[]
  /** Whether an agent lost its mandate while the batch waited for the lock. */
  readonly hasLostMandate: boolean
  /** The newest draft of an agent without an active mandate. */
  draft(agentId: string): string | undefined
  counter(key: string): Counter | undefined
  isRead(key: string): boolean
  /** Reads counters that could not be predicted. It costs a round trip. */
  readFurther(keys: readonly string[]): Promise<void>
  vendor(spend: Spend): VendorHistory | undefined
  /** Whether the agent may have paid vendors that are not learned yet. */
  vendorsIncomplete(agentId: string): boolean
  readonly approvals: ApprovalReads
  /** Facts that paths have read for their submissions. */
  readonly paths: PathReads
}

/**
 * Locks and reads. All predictable reads are sent together and answered in one round trip. A
 * further round trip is needed only for unpredictable ones, such as a mandate that is new to this
 * process or whose rules have changed.
 */
export async function readBatch(
  tx: Tx,
  { policyCache, clock, preview }: BatchReadParts,
  organizationId: string,
  submissions: readonly QueuedSubmission[],
): Promise<BatchReads> {
  const agentIds = [...new Set(submissions.map(({ spend }) => spend.agentId))]
  const guessed = foresee(submissions, (agentId) => policyCache.guess(agentId))
  const { month } = usageMonth(clock.estimate())

  const isLimited = (): boolean => !preview && policyCache.mayBeLimited(organizationId)
  const countsUsage = isLimited()

  // This must be the first read: then every later stop is noticed, whatever the statements below
  // read.
  const begun = preview ? null : beginBatch(tx, organizationId)
  const finding = findLastOf(tx, organizationId, submissions)
  // Both are awaited together, so that a lost connection leaves no unhandled rejection.
  const last = Array.isArray(finding) ? finding : (await Promise.all([finding, begun]))[0]
  const askedAt = performance.now()
  const [stops, taken, mandates, approvals, spenders, at, keys, counters, vendors, counted, paths] =
    await Promise.all([
      begun,
      // First, so that the reads below see the rows that the keys' previous holder has stored.
      takeKeysOf(tx, organizationId, submissions),
      preview ? preview.mandates(tx) : lockMandates(tx, organizationId, agentIds, last),
      readApprovals(tx, organizationId, submissions),
      // This read includes the clock, so it comes after the locks of all rows that can expire.
      readSpenders(tx, organizationId, agentIds),
      clock.ofCoordinator(tx),
      readKeys(tx, organizationId, submissions),
      readCountersOf(tx, organizationId, guessed.counters),
      readVendorsOf(tx, organizationId, guessed.vendors),
      countsUsage ? lockPlanUsage(tx, organizationId, month) : 0,
      readForPaths(tx, organizationId, submissions),
    ])

  const organization = organizationIn(spenders)
  const now = clock.heard(at ?? organization.now, askedAt)
  const usedIn = (other: string) => lockPlanUsage(tx, organizationId, other)
  policyCache.rememberPlan(organizationId, organization.plan)
  // The plan may have changed to one with a limit since it was last read.
  const used = !countsUsage && isLimited() ? await usedIn(month) : counted
  const lines = preview
    ? await preview.lines(tx, mandates)
    : linesOf(mandates, last, await policyCache.load(tx, organizationId, mandates))
  if (!preview) for (const [agentId, line] of lines) policyCache.remember(agentId, policiesOf(line))

  const needed = foresee(paths.alone, (agentId) => policiesOf(lines.get(agentId) ?? []))
  const missed = difference(needed, guessed)
  const late = await Promise.all([
    readCountersOf(tx, organizationId, missed.counters),
    readVendorsOf(tx, organizationId, missed.vendors),
    findDraftsOf(tx, organizationId, spenders, lines),
  ])

  const spenderById = new Map(spenders.map((row) => [row.agentId, row]))
  return {
    organizationId,
    stops,
    now,
    plan: organization.plan,
    subscription: { hasWebhook: organization.hasWebhook, kinds: organization.eventKinds },
    used: month === usageMonth(now).month ? used : await usedIn(usageMonth(now).month),
    keys: new Map(keys.map((row) => [nameOf(row), row])),
    hasTaken: (key) =>
      taken.some(({ space, key: text }) => space === key.space && text === key.key),
    spender: (agentId) => spenderById.get(agentId),
    line: (agentId) => lines.get(agentId) ?? [],
    hasLostMandate: hasLostMandate(mandates, agentIds, lines),
    draft: (agentId) => late[2].get(agentId),
    ...countersAmong(tx, organizationId, [...counters, ...late[0]], (key) => {
      return needed.counters.has(key) || guessed.counters.has(key)
    }),
    ...vendorsAmong([...vendors, ...late[1]]),
    approvals,
    paths,
  }
}

/** Every row has the values of the organization. */
function organizationIn([first]: readonly SpenderRow[]): SpenderRow {
  if (!first) throw new Error('A spend names an organization that does not exist.')
  return first
}

function vendorsAmong(
  rows: Awaited<ReturnType<typeof readVendorsOf>>,
): Pick<BatchReads, 'vendor' | 'vendorsIncomplete'> {
  const byPair = new Map(rows.map((row) => [pairOf(row), row]))
  return {
    vendor: (spend) => byPair.get(pairOf(spend)),
    vendorsIncomplete: (agentId) =>
      byPair.size > 0 && byPair.has(pairOf({ agentId, vendor: UNKNOWN_VENDORS })),
  }
}

/** Gives access to the counters that were read, and reads further ones. */
function countersAmong(
  tx: Tx,
  organizationId: string,
  rows: readonly CounterRow[],
  isForeseen: (key: string) => boolean,
): Pick<BatchReads, 'counter' | 'isRead' | 'readFurther'> {
  const counterByKey = new Map(rows.map(({ key, buckets }) => [key, fromRow(buckets)]))
  const further = new Set<string>()
  return {
    counter: (key) => counterByKey.get(key),
    isRead: (key) => isForeseen(key) || further.has(key),
    async readFurther(keys) {
      for (const { key, buckets } of await readCounters(tx, organizationId, keys)) {
        counterByKey.set(key, fromRow(buckets))
      }
      for (const key of keys) further.add(key)
    },
  }
}

/** The reads, besides the mandates, that these policies need to judge the submissions. */
interface Needs {
  readonly counters: ReadonlySet<string>
  /** Keyed by the pair of agent and vendor. */
  readonly vendors: ReadonlyMap<string, Spend>
}

function foresee(
  submissions: readonly Submission[],
  policiesOfAgent: (agentId: string) => readonly Policy[],
): Needs {
  const counters = new Set<string>()
  const vendors = new Map<string, Spend>()
  for (const { spend } of submissions) {
    for (const policy of policiesOfAgent(spend.agentId)) {
      for (const key of countersOf(policy, spend)) counters.add(key)
      if (needsVendorHistory(policy)) vendors.set(pairOf(spend), spend)
    }
  }
  return { counters, vendors }
}

function difference(needed: Needs, known: Needs): Needs {
  return {
    counters: new Set([...needed.counters].filter((key) => !known.counters.has(key))),
    vendors: new Map([...needed.vendors].filter(([pair]) => !known.vendors.has(pair))),
  }
}

function takeKeysOf(
  tx: Tx,
  organizationId: string,
  submissions: readonly QueuedSubmission[],
): Promise<SpacedKey[]> | [] {
  const keys = new Map<string, SpacedKey>()
  for (const { idempotency, deadline } of submissions) {
    if (idempotency && deadline) keys.set(nameOf(idempotency), idempotency)
  }
  return keys.size === 0 ? [] : takeKeys(tx, organizationId, [...keys.values()])
}

function readKeys(
  tx: Tx,
  organizationId: string,
  submissions: readonly Submission[],
): Promise<DecisionKeyRow[]> | [] {
  const keys = new Map<string, SpacedKey>()
  for (const { idempotency } of submissions) {
    if (idempotency) keys.set(nameOf(idempotency), idempotency)
  }
  return keys.size === 0 ? [] : findDecisionKeys(tx, organizationId, [...keys.values()])
}

function readCountersOf(
  tx: Tx,
  organizationId: string,
  keys: ReadonlySet<string>,
): Promise<CounterRow[]> | [] {
  return keys.size === 0 ? [] : readCounters(tx, organizationId, [...keys])
}

function readVendorsOf(
  tx: Tx,
  organizationId: string,
  spends: ReadonlyMap<string, Spend>,
): Promise<VendorHistoryRow[]> | [] {
  if (spends.size === 0) return []
  const pairs = [...spends.values()]
  return readVendorHistories(
    tx,
    organizationId,
    pairs.map(({ agentId }) => agentId),
    pairs.map(({ vendor }) => vendor),
  )
}

/** Returns the name of an Idempotency-Key, unique within the organization. */
export function nameOf({ space, key }: SpacedKey): string {
  return `${space} ${key}`
}

/** Returns the name of a pair of agent and vendor. */
export function pairOf({ agentId, vendor }: { agentId: string; vendor: string }): string {
  return `${agentId} ${vendor}`
}
