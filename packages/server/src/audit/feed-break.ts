import type { DecisionHashes } from '../storage/audit/decision-hashes.ts'
import type { AuditLog } from '../storage/audit/logs.ts'
import { type FeedBreak, readEnds } from '../storage/audit/stops.ts'
import type { Tx } from '../storage/engine/database.ts'
import type { OtherLeaf } from './arrange-leaves.ts'

type LogEnds = Pick<AuditLog, 'size' | 'lastNumber' | 'lastLeaf' | 'feedEnd'>

/**
 * Finds a break: the next number is not greater than that of the last leaf, because the last number
 * of the feed or the sealed position was set back. Sealing on would repeat or skip leaves.
 *
 * The statement that locked the audit log may have seen the feed and the leaves as they were before
 * a different process continued, so a suspected break is read again.
 */
export async function findBreak(
  tx: Tx,
  organizationId: string,
  log: LogEnds,
): Promise<FeedBreak | undefined> {
  if (log.size === 0 || (log.lastLeaf !== null && !breakOf(log))) return undefined
  return breakOf({ ...log, ...(await readEnds(tx, organizationId, log.size)) })
}

function breakOf({ lastNumber, feedEnd, ...log }: LogEnds): FeedBreak | undefined {
  const lastLeaf = log.lastLeaf ?? lastNumber
  if (lastNumber < lastLeaf) return { lastLeaf, nextNumber: lastNumber + 1n }
  // Numbers up to `lastNumber` are sealed, including those without a leaf.
  return feedEnd < lastNumber ? { lastLeaf, nextNumber: feedEnd + 1n } : undefined
}

/** Finds a number that occurs twice in the range that was read. Each list is sorted. */
export function findRepeat(
  { numbers }: DecisionHashes,
  others: readonly OtherLeaf[],
): FeedBreak | undefined {
  const twice = numbers.find((number, place) => number === numbers[place + 1])
  if (twice !== undefined) return { lastLeaf: BigInt(twice), nextNumber: BigInt(twice) }
  const decided = new Set(others.length === 0 ? [] : numbers)
  const repeated = others.find(
    ({ number }, place) => number === others[place + 1]?.number || decided.has(Number(number)),
  )
  return repeated && { lastLeaf: repeated.number, nextNumber: repeated.number }
}
