import type { MandateAccount } from '../../core/decision/account.ts'
import type { SpacedKey } from '../../core/idempotency.ts'
import { type Plan, usageMonth } from '../../core/plan.ts'
import type { Instant } from '../../core/time/instant.ts'
import { beginBatch } from '../../storage/decisions/begin-batch.ts'
import type { DecisionKeyRow } from '../../storage/decisions/decision-keys.ts'
import type { LockedMandate } from '../../storage/decisions/locked-mandates.ts'
import {
  lockPlanUsage,
  readSpenders,
  type SpenderRow,
} from '../../storage/decisions/read-accounts.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Subscription } from '../../storage/webhooks/subscriptions.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import type { PolicyCache } from '../policy-cache.ts'
import { type ApprovalReads, readApprovals } from './approval-reads.ts'
import {
  type CounterReads,
  countersAmong,
  difference,
  foresee,
  readCountersOf,
  readVendorsOf,
  type VendorReads,
  vendorsAmong,
} from './history-reads.ts'
import { nameOf, readKeys, takeKeysOf } from './key-reads.ts'
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
export interface BatchReads extends CounterReads, VendorReads {
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
