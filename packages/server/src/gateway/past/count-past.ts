import { type Counter, fromRow } from '../../core/counters/counter.ts'
import {
  addPast,
  countedByBudget,
  createPastEntries,
  originsAfter,
  type PastTransaction,
  policyWith,
  reachOf,
  rulesAwaiting,
  seriesSince,
  withLateOrigins,
  withoutLateOrigins,
} from '../../core/decision/past.ts'
import { idAt } from '../../core/id.ts'
import { budgetAt, type Mandate } from '../../core/mandates/mandate.ts'
import { compilePolicy, type Policy } from '../../core/mandates/policy.ts'
import { pastKey } from '../../core/rules/counter-key.ts'
import type { Origins } from '../../core/rules/verdict.ts'
import type { Warning } from '../../core/rules/warnings.ts'
import { type Instant, LATEST } from '../../core/time/instant.ts'
import { CLOCKS_APART_MS, readClockGap } from '../../storage/clock-gaps.ts'
import {
  BEFORE_ALL,
  insertPastCount,
  type PastCount,
  readPast,
  readPastCounts,
} from '../../storage/decisions/past.ts'
import { readCounters } from '../../storage/decisions/read-accounts.ts'
import { storeCounters } from '../../storage/decisions/store-usage.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { toStoredCounter } from '../account-rows.ts'
import { HISTORY_INCOMPLETE, learnVendors } from './learn-vendors.ts'
import { PAST_ROWS } from './past-rows.ts'

interface Members {
  /** The mandates whose spends draw on the mandate: itself and all its descendants. */
  readonly mandateIds: ReadonlySet<string>
  readonly agentIds: readonly string[]
}

interface NewRules {
  readonly organizationId: string
  readonly before: Mandate
  /** The mandate with the new rules and their version. */
  readonly after: Mandate
  readonly below: readonly Mandate[]
  readonly at: Instant
}

interface Counted {
  /** The origins of all rules' counters. */
  readonly origins: Origins | null
  readonly warnings: readonly Warning[]
}

/**
 * Fills the counters of new rules with earlier spends. The caller has locked the mandate, so all
 * spends ever made under it can be read, and none is added meanwhile.
 */
export async function countPast(tx: Tx, change: NewRules): Promise<Counted> {
  const { organizationId, before, after, at } = change
  if (before.status !== 'active' || before.rules === after.rules) {
    return { origins: before.origins, warnings: [] }
  }
  const policy = policyOf({ ...before, origins: await freshOrigins(tx, organizationId, before) })
  const origins = originsAfter(policy, policyOf(after), after.version)
  const begun = policyWith(policy, { rules: after.rules, origins })
  const isLate = await countAtOnce(tx, change, begun)
  const sum = countedByBudget(begun, after.version, budgetAt(before, at).spent, at)
  if (sum) tx.send(storeCounters(organizationId, [toStoredCounter([...sum])]))
  const warnings = await learnWithNewRules(tx, change, policy, begun)
  if (Object.keys(origins).length === 0) return { origins: null, warnings }
  if (!isLate) return { origins, warnings }
  const awaiting = beingCounted(rulesAwaiting(begun, after.version))
  return {
    origins: withLateOrigins(origins, after.version),
    warnings: [...warnings, awaiting],
  }
}

function learnWithNewRules(
  tx: Tx,
  { organizationId, before, below, at }: NewRules,
  policy: Policy,
  begun: Policy,
): Promise<Warning[]> | Warning[] {
  if (policy.needsVendorHistory || !begun.needsVendorHistory) return []
  // An inactive child learns when it becomes active, and its agent may spend elsewhere now.
  const active = below.filter(({ status }) => status === 'active')
  const { agentIds } = membersOf([before, ...active])
  return learnVendors(tx, {
    organizationId,
    mandateId: before.id,
    agentIds,
    policies: [begun],
    at,
  })
}

/**
 * When a mandate becomes active, its agent's earlier vendors are learned: those paid under other
 * mandates.
 */
export function learnWithMandate(
  tx: Tx,
  organizationId: string,
  [own, ...above]: readonly [Mandate, ...Mandate[]],
  at: Instant,
): Promise<Warning[]> | Warning[] {
  const policies = [own, ...above].map(policyOf)
  if (!policies.some(({ needsVendorHistory }) => needsVendorHistory)) return []
  const agentIds = [own.agentId]
  return learnVendors(tx, { organizationId, mandateId: own.id, agentIds, policies, at })
}

function beingCounted(ruleIds: string[]): Warning {
  const message =
    'There are more earlier transactions than the gateway can count at once. Until it has counted them, these rules fail for every spend that they count.'
  return { code: BEING_COUNTED, message, ruleIds }
}

const BEING_COUNTED = 'past_being_counted'

/** Whether the warnings say that something remains to be counted or learned. */
export function isBeingCounted(warnings: readonly Warning[]): boolean {
  return warnings.some(({ code }) => code === BEING_COUNTED || code === HISTORY_INCOMPLETE)
}

/** Returns the origins without those whose count has finished. */
async function freshOrigins(
  tx: Tx,
  organizationId: string,
  { id, origins }: Mandate,
): Promise<Origins | null> {
  if (origins === null || !Object.values(origins).some(({ isLate }) => isLate)) return origins
  const counts = await readPastCounts(tx, organizationId, [id])
  return withoutLateOrigins(
    origins,
    counts.map(({ version }) => version),
  )
}

/**
 * Returns whether there is more than can be counted at once. If so, it sets the mark that makes the
 * rules strict.
 */
async function countAtOnce(
  tx: Tx,
  { organizationId, before, after, below, at }: NewRules,
  policy: Policy,
): Promise<boolean> {
  const series = seriesSince(policy, after.version)
  if (series.length === 0) return false
  const members = membersOf([before, ...below])
  const max = PAST_ROWS.atOnce
  const reach = reachOf(series, at)
  const readFrom = (fromId: string) =>
    readPast(tx, organizationId, members.agentIds, { fromId, ...BEFORE_ALL }, max + 1)
  // Ids are hardly ever further from their time than usual, so the first read does not wait for the
  // gap.
  const [gapMs, near] = await Promise.all([
    readClockGap(tx, organizationId),
    readFrom(idAt(reach - CLOCKS_APART_MS)),
  ])
  const fromId = idAt(reach - gapMs)
  const all = gapMs === CLOCKS_APART_MS ? near : await readFrom(fromId)
  const rows = all.slice(0, max)
  await storePast(tx, { organizationId, policy, version: after.version, members, at }, rows)
  const last = rows.at(-1)
  if (all.length <= max || !last) return false
  const cursor = { agentId: last.agentId, transactionId: last.id }
  const count: PastCount = { mandateId: before.id, version: after.version, fromId, ...cursor }
  await insertPastCount(tx, organizationId, count, at)
  tx.send(storeCounters(organizationId, [markOf(count)]))
  return true
}

interface Counting {
  readonly organizationId: string
  readonly policy: Policy
  /** The version whose counters are filled. */
  readonly version: number
  readonly members: Members
  readonly at: Instant
}

/** Adds transactions to the counters that begin with a version, under the mandate's lock. */
export async function storePast(
  tx: Tx,
  { organizationId, policy, version, members, at }: Counting,
  rows: readonly PastTransaction[],
): Promise<void> {
  const entries = rows
    .filter(({ mandateId }) => mandateId !== null && members.mandateIds.has(mandateId))
    .flatMap(createPastEntries(policy, version, at))
  if (entries.length === 0) return
  const keys = [...new Set(entries.map(({ key }) => key))]
  const found = await readCounters(tx, organizationId, keys)
  const counters = new Map<string, Counter>(
    found.map(({ key, buckets }) => [key, fromRow(buckets)]),
  )
  const told = [...addPast(counters, entries)]
  tx.send(storeCounters(organizationId, told.map(toStoredCounter)))
}

export function membersOf(mandates: readonly Pick<Mandate, 'id' | 'agentId'>[]): Members {
  return {
    mandateIds: new Set(mandates.map(({ id }) => id)),
    agentIds: [...new Set(mandates.map(({ agentId }) => agentId))],
  }
}

/** A counter that counts nothing and never expires. Rules only check whether it exists. */
function markOf({ mandateId, version }: PastCount) {
  const key = pastKey(mandateId, { since: version })
  return { key, buckets: [BigInt(LATEST)], expiresAt: LATEST }
}

function policyOf({ id, version, origins, ...terms }: Mandate): Policy {
  return compilePolicy({ mandateId: id, version, hash: '', terms, origins })
}
