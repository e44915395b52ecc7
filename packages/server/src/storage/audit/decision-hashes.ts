import { HASH_BYTES } from '@purser/audit'
import type { Queryable } from '../engine/database.ts'
import type { FeedRange } from './sources.ts'

/** Decisions in the order of their numbers, with the hashes of their leaves one after the other. */
export interface DecisionHashes {
  readonly numbers: readonly number[]
  readonly hashes: Buffer
}

/** The events in a range of the feed. */
export interface FeedReading {
  readonly decisions: DecisionHashes
  /** The numbers of all other events: their leaves must be made from their rows. */
  readonly others: readonly number[]
}

interface ReadingRow {
  readonly hashes: Buffer | null
  readonly numbers: string | null
  readonly others: string | null
}

/**
 * Nearly all leaves are decisions, so their rows are not read here: making their texts would cost
 * ten times as much CPU in this process, which also makes decisions. A decision is stored with the
 * hash of its leaf, which its receipt contains. Decisions without a hash are among the others:
 * those of an older gateway, and those rejected at a deadline. Test events did not happen, and are
 * left out.
 */
export async function readDecisionHashes(
  db: Queryable,
  organizationId: string,
  { after, to }: FeedRange,
): Promise<FeedReading> {
  const [row] = await db.query<ReadingRow>({
    name: 'read-decision-hashes',
    text: `
      select string_agg(e.hash, ''::bytea) as hashes,
             string_agg(e.number::text, ',') filter (where e.hash is not null) as numbers,
             string_agg(e.number::text, ',') filter (where e.hash is null) as others
      from (
        select number,
               case when id = transaction_id and agent_id is not null
                         and kind in ('transaction.approved', 'transaction.rejected')
                         and octet_length(commitment) = ${HASH_BYTES}
                         and octet_length(leaf) = ${HASH_BYTES}
                    then leaf end as hash
        from webhook_events
        where organization_id = $1 and number > $2 and number <= $3 and sample is null
        order by number
      ) e`,
    values: [organizationId, after, to],
  })
  const numbers = toNumbers(row?.numbers)
  // Aggregates take their rows in the order of the inner query, which SQL itself does not promise.
  // The sealer checks for duplicate numbers.
  if (numbers.some((number, place) => number < (numbers[place - 1] ?? 0))) {
    throw new Error('The database returned decisions that are not in the order of the feed.')
  }
  const hashes = row?.hashes ?? Buffer.alloc(0)
  if (hashes.length !== numbers.length * HASH_BYTES) {
    throw new Error('The database returned hashes that do not match their decisions.')
  }
  return { decisions: { numbers, hashes }, others: toNumbers(row?.others) }
}

function toNumbers(text: string | null | undefined): number[] {
  return text ? text.split(',').map(Number) : []
}
