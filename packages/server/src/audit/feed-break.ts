import type { DecisionHashes } from '../storage/audit/decision-hashes.ts'
import type { AuditLog } from '../storage/audit/logs.ts'
import { type FeedBreak, readEnds } from '../storage/audit/stops.ts'
import type { Tx } from '../storage/engine/database.ts'
import type { OtherLeaf } from './arrange-leaves.ts'

type LogEnds = Pick<AuditLog, 'size' | 'lastNumber' | 'lastLeaf' | 'feedEnd'>

/**
 * Whether the number that comes next is not above that of the last leaf: somebody has put a number back,
 * of the feed or of how far it is sealed. Sealed on, leaves would be repeated or left out.
 *
 * The statement that locked the log may have seen the feed and the leaves as they were before another
 * process went on, so what looks wrong is read once more.
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
  // Numbers up to here are sealed, also those that are no leaves.
  return feedEnd < lastNumber ? { lastLeaf, nextNumber: feedEnd + 1n } : undefined
}

/** The same within what was read of the feed: a number that comes twice. Each list is in its order. */
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
