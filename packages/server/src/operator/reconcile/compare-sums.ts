import { fromRow } from '../../core/counters/counter.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import { knowsThePast } from '../../core/rules/counter-key.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { hasTimedOut } from '../../storage/engine/storage-error.ts'
import { inSnapshot } from '../../storage/reconcile/snapshot.ts'
import {
  type BudgetSums,
  type CounterSums,
  listCounterKeys,
  listMandateIds,
  sumBudget,
  sumCounters,
} from '../../storage/reconcile/sums.ts'
import { FIRST_ID, pagesOf } from './pages.ts'
import type { Place } from './place.ts'

const ROWS_AT_ONCE = 100

/** Compares each budget with the sum of its spends, in one statement per budget. */
export async function compareBudgets(place: Place): Promise<string | undefined> {
  const { db, organizationId, counts } = place
  const read = (after: string) => listMandateIds(db, organizationId, after, ROWS_AT_ONCE)
  const paging = { first: FIRST_ID, size: ROWS_AT_ONCE }
  for await (const ids of pagesOf(read, (id) => id, paging)) {
    for (const id of ids) {
      const found = await inTime(db, async (tx) => ({
        sums: await sumBudget(tx, organizationId, id),
      }))
      if (!found) counts.large += 1
      const sums = found?.sums
      const difference = sums && checkBudget(place, toPublicId('mnd', id), sums)
      if (difference !== undefined) return difference
      place.tell()
    }
  }
  return undefined
}

function checkBudget({ counts }: Place, name: string, sums: BudgetSums): string | undefined {
  if (sums.periods > 1) {
    counts.uncounted += 1
    return undefined
  }
  counts.budgets += 1
  const { spent, sumSpent, held, sumHeld } = sums
  if (spent !== sumSpent) {
    return `mandates.budget_spent of ${name} is ${toUnits(spent)}, but its spends add up to ${toUnits(sumSpent)}.`
  }
  if (held === sumHeld) return undefined
  return `mandates.budget_held of ${name} is ${toUnits(held)}, but its holds add up to ${toUnits(sumHeld)}.`
}

/** Compares each limit counter with the sum of the spends counted in it. */
export async function compareCounters(place: Place): Promise<string | undefined> {
  const { db, organizationId, counts } = place
  const read = (after: string) => listCounterKeys(db, organizationId, after, ROWS_AT_ONCE)
  const paging = { first: '', size: ROWS_AT_ONCE }
  for await (const keys of pagesOf(read, (key) => key, paging)) {
    const plain = keys.filter((key) => key.includes('/') && !knowsThePast(key))
    counts.uncounted += keys.length - plain.length
    for (const [mandateId, own] of byMandate(plain)) {
      const all = await sumInParts(place, mandateId, own)
      counts.counters += all.length
      const wrong = all.find((counter) => !isRight(counter))
      if (wrong) return `limit_counters.buckets of ${wrong.key} differs from the sum of its spends.`
      place.tell()
    }
  }
  return undefined
}

/** If all counters together exceed the statement timeout, sums half of them at a time. */
async function sumInParts(
  place: Place,
  mandateId: string,
  keys: readonly string[],
): Promise<CounterSums[]> {
  const { db, organizationId, counts } = place
  const all = await inTime(db, (tx) => sumCounters(tx, organizationId, mandateId, keys))
  if (all) return all
  if (keys.length === 1) {
    counts.large += 1
    return []
  }
  const middle = Math.ceil(keys.length / 2)
  const first = await sumInParts(place, mandateId, keys.slice(0, middle))
  return [...first, ...(await sumInParts(place, mandateId, keys.slice(middle)))]
}

/** Returns undefined if it exceeds the statement timeout. */
async function inTime<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T | undefined> {
  try {
    return await inSnapshot(db, run)
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    return undefined
  }
}

/** A key begins with the UUID of its mandate. */
const UUID_LENGTH = 36

function byMandate(keys: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const key of keys) {
    const id = key.slice(0, UUID_LENGTH)
    groups.set(id, [...(groups.get(id) ?? []), key])
  }
  return groups
}

function isRight({ buckets, sums }: CounterSums): boolean {
  const counted = new Map(sums.map(([place, count, amount]) => [place, { count, amount }]))
  const kept = fromRow(buckets).buckets
  const isSame = kept.every(({ count, amount }, index) => {
    const sum = counted.get(index + 1)
    return count === (sum?.count ?? 0) && `${amount}` === (sum?.amount ?? '0')
  })
  return isSame && [...counted.keys()].every((place) => place <= kept.length)
}
