import { type Instant, toIso } from '../../core/time/instant.ts'
import { readClock } from '../engine/clock.ts'
import type { Queryable } from '../engine/database.ts'

/** Heads that were kept outside of the store before this time do not count; null: all count. */
export async function findHeadsFrom(db: Queryable): Promise<Instant | null> {
  const [row] = await db.query<{ from: Instant | null }>({
    text: 'select heads_from as "from" from installation',
  })
  return row?.from ?? null
}

/** The operator accepts that the store is behind heads that were kept until now. */
export async function acceptHeads(tx: Queryable): Promise<void> {
  await tx.query({
    text: 'update installation set heads_from = $1',
    values: [toIso(await readClock(tx))],
  })
}
