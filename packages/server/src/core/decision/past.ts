import { addTo, type Counter, EMPTY_COUNTER } from '../counters/counter.ts'
import { compilePolicy, countedBy, type Policy, seriesOf } from '../mandates/policy.ts'
import type { Micros } from '../money.ts'
import { keyPrefix, pastKey, seriesName } from '../rules/counter-key.ts'
import type { Counted, Origin, Origins, Series } from '../rules/verdict.ts'
import { type Instant, LATEST } from '../time/instant.ts'
import { isSpendOfItsOwn, spendOf, type Transaction } from '../transaction.ts'
import { type Entry, entriesOf, partsOf } from './parts.ts'

/*
 * Counters that an active mandate gets later must include everything that was spent under it before,
 * as if they had existed from the beginning (ADR 22).
 */

/** The fields of a transaction that counters need. */
export type PastTransaction = Pick<
  Transaction,
  | 'id'
  | 'agentId'
  | 'mandateId'
  | 'path'
  | 'status'
  | 'amount'
  | 'isIncrement'
  | 'currency'
  | 'vendor'
  | 'category'
  | 'reference'
  | 'heldAmount'
  | 'settledAmount'
  | 'refundedAmount'
  | 'laterParts'
  | 'countedIn'
  | 'createdAt'
>

/** The series that the budget counts as well, except for the number of spends. */
const LIKE_THE_BUDGET = seriesName({ kind: 'period' }, 'all', ',,')

/**
 * The origins of all series that the changed rules count. A series that the mandate already has
 * continues. A new series begins with this version, even if the mandate had it once before: its old
 * counters missed the spends in between.
 */
export function originsAfter(before: Policy, rules: Policy, version: number): Origins {
  const had = new Set(seriesOf(before).map(({ name }) => name))
  const origins: Record<string, Origin> = {}
  for (const { name, needsCount } of seriesOf(rules)) {
    const origin = before.origins[name]
    const goesOn = had.has(name) && !(origin?.isSumOnly && needsCount)
    if (!goesOn) origins[name] = beginningOf(name, needsCount, version)
    else if (origin) origins[name] = origin
  }
  return origins
}

function beginningOf(name: string, needsCount: boolean, since: number): Origin {
  return name === LIKE_THE_BUDGET && !needsCount ? { since, isSumOnly: true } : { since }
}

/**
 * Marks the origins of this version as late, because there are too many transactions to count at
 * once.
 */
export function withLateOrigins(origins: Origins, version: number): Origins {
  const late = Object.entries(origins).map(([name, origin]) => {
    const isLate = origin.since === version && !origin.isSumOnly
    return [name, isLate ? { ...origin, isLate } : origin] as const
  })
  return Object.fromEntries(late)
}

/**
 * Keeps the late mark only for versions that are still being counted. For all others, decisions need
 * not read a mark any more.
 */
export function withoutLateOrigins(origins: Origins, counting: readonly number[]): Origins {
  const counted = Object.entries(origins).map(([name, { isLate, ...origin }]) => {
    const isCounting = isLate && counting.includes(origin.since)
    return [name, isCounting ? { ...origin, isLate } : origin] as const
  })
  return Object.fromEntries(counted)
}

/** The ids of the rules that let no spend pass until the past of this version is counted. */
export function rulesAwaiting({ rules, origins }: Policy, version: number): string[] {
  const isAwaited = (name: string): boolean =>
    origins[name]?.since === version && !origins[name]?.isSumOnly
  return rules
    .filter(({ judge }) => judge.series?.some(({ name }) => isAwaited(name)))
    .map(({ id }) => id)
}

/**
 * The ids of the draft's rules that need counters or a vendor history that the mandate does not keep
 * yet.
 */
export function rulesWithoutPast(own: Policy, draft: Policy): string[] {
  const origins = originsAfter(own, draft, NEVER)
  return draft.rules
    .filter(
      ({ judge }) =>
        judge.series?.some(({ name }) => origins[name]?.since === NEVER) ||
        (judge.needsVendorHistory && !own.needsVendorHistory),
    )
    .map(({ id }) => id)
}

/** A version that no mandate has. */
const NEVER = -1

/** The series that begin with this version and are counted from transactions. */
export function seriesSince(policy: Policy, version: number): Series[] {
  return seriesOf(policy).filter(({ name }) => {
    const origin = policy.origins[name]
    return origin?.since === version && !origin.isSumOnly
  })
}

/** The earliest instant that any of the windows still covers. */
export function reachOf(series: readonly Series[], now: Instant): Instant {
  return Math.min(LATEST, ...series.map(({ layout }) => layout.sinceAt(now)))
}

/**
 * The counter over the budget's period, with the spent amount of the budget. Undefined if no such
 * counter begins with this version.
 */
export function countedByBudget(
  policy: Policy,
  version: number,
  spent: Micros,
  now: Instant,
): readonly [key: string, counter: Counter] | undefined {
  const series = seriesOf(policy).find(({ name }) => name === LIKE_THE_BUDGET)
  const origin = policy.origins[LIKE_THE_BUDGET]
  if (!series || !origin?.isSumOnly || origin.since !== version || spent === 0n) return undefined
  const counter = addTo(EMPTY_COUNTER, series.layout, now, spent, 0)
  return [keyPrefix(policy, LIKE_THE_BUDGET), counter]
}

/**
 * The key of the counter that began with the spent amount of the budget. It includes all earlier
 * spends from the start, even while other counters of its version are still being counted.
 */
export function sumOnlyKeyOf(policy: Policy): string | undefined {
  const isSumOnly = policy.origins[LIKE_THE_BUDGET]?.isSumOnly === true
  return isSumOnly ? keyPrefix(policy, LIKE_THE_BUDGET) : undefined
}

/** An earlier spend, and the counter that must include it. */
export interface PastEntry extends Counted, Entry {}

/**
 * The returned function lists the entries that a transaction adds to the counters that begin with
 * this version, as far as their windows still cover it. A transaction that was decided after the
 * counters began was counted by its decision.
 */
export function createPastEntries(
  policy: Policy,
  version: number,
  now: Instant,
): (transaction: PastTransaction) => PastEntry[] {
  const prefix = `${pastKey(policy.mandateId, { since: version })}/`
  const sumOnlyKey = sumOnlyKeyOf(policy)

  return (transaction) => {
    const parts = pastPartsOf(transaction)
    if (parts.length === 0) return []
    // Rules that count the same thing share a counter, and a spend must be counted in it once.
    const byKey = new Map<string, Counted>()
    for (const counted of countedBy(policy, spendOf(transaction, ''))) {
      const { key } = counted
      const isMissing = key !== sumOnlyKey && !transaction.countedIn?.includes(key)
      if (isMissing && key.startsWith(prefix)) byKey.set(key, counted)
    }
    return [...byKey.values()].flatMap(({ key, layout }) =>
      parts
        .filter(({ at }) => layout.bucketAt(at) >= layout.sinceAt(now))
        .map(({ at, amount, count }) => ({ key, layout, at, amount, count })),
    )
  }
}

/** Adds earlier spends to the counters. */
export function addPast(
  counters: ReadonlyMap<string, Counter>,
  entries: readonly PastEntry[],
): Map<string, Counter> {
  const after = new Map<string, Counter>()
  for (const { key, layout, at, amount, count } of entries) {
    const counter = after.get(key) ?? counters.get(key) ?? EMPTY_COUNTER
    after.set(key, addTo(counter, layout, at, amount, count))
  }
  return after
}

/** Compiles the same terms with different rules or origins. */
export function policyWith(
  { mandateId, version, hash, terms }: Policy,
  change: { readonly rules?: Policy['terms']['rules']; readonly origins: Origins },
): Policy {
  const { rules = terms.rules, origins } = change
  return compilePolicy({ mandateId, version, hash, terms: { ...terms, rules }, origins })
}

/** The entries with which a transaction counts: none if its money was released. */
function pastPartsOf(transaction: PastTransaction): Entry[] {
  const { status } = transaction
  if (status === 'rejected' || status === 'voided' || status === 'expired') return []
  return entriesOf(partsOf(transaction), isSpendOfItsOwn(transaction))
}
