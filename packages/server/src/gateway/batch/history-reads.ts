import { type Counter, fromRow } from '../../core/counters/counter.ts'
import type { VendorHistory } from '../../core/decision/account.ts'
import { countersOf, needsVendorHistory, type Policy } from '../../core/mandates/policy.ts'
import type { Spend } from '../../core/spend.ts'
import {
  type CounterRow,
  readCounters,
  readVendorHistories,
  UNKNOWN_VENDORS,
  type VendorHistoryRow,
} from '../../storage/decisions/read-accounts.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Submission } from '../submission.ts'

/** The counters that were read for a batch. */
export interface CounterReads {
  counter(key: string): Counter | undefined
  isRead(key: string): boolean
  /** Reads counters that could not be predicted. It costs a round trip. */
  readFurther(keys: readonly string[]): Promise<void>
}

/** The vendor histories that were read for a batch. */
export interface VendorReads {
  vendor(spend: Spend): VendorHistory | undefined
  /** Whether the agent may have paid vendors that are not learned yet. */
  vendorsIncomplete(agentId: string): boolean
}

/** The reads, besides the mandates, that these policies need to judge the submissions. */
export interface Needs {
  readonly counters: ReadonlySet<string>
  /** Keyed by the pair of agent and vendor. */
  readonly vendors: ReadonlyMap<string, Spend>
}

export function foresee(
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

export function difference(needed: Needs, known: Needs): Needs {
  return {
    counters: new Set([...needed.counters].filter((key) => !known.counters.has(key))),
    vendors: new Map([...needed.vendors].filter(([pair]) => !known.vendors.has(pair))),
  }
}

export function readCountersOf(
  tx: Tx,
  organizationId: string,
  keys: ReadonlySet<string>,
): Promise<CounterRow[]> | [] {
  return keys.size === 0 ? [] : readCounters(tx, organizationId, [...keys])
}

export function readVendorsOf(
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

export function vendorsAmong(rows: readonly VendorHistoryRow[]): VendorReads {
  const byPair = new Map(rows.map((row) => [pairOf(row), row]))
  return {
    vendor: (spend) => byPair.get(pairOf(spend)),
    vendorsIncomplete: (agentId) =>
      byPair.size > 0 && byPair.has(pairOf({ agentId, vendor: UNKNOWN_VENDORS })),
  }
}

/** Gives access to the counters that were read, and reads further ones. */
export function countersAmong(
  tx: Tx,
  organizationId: string,
  rows: readonly CounterRow[],
  isForeseen: (key: string) => boolean,
): CounterReads {
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

/** Returns the name of a pair of agent and vendor. */
export function pairOf({ agentId, vendor }: { agentId: string; vendor: string }): string {
  return `${agentId} ${vendor}`
}
