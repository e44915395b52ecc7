import { type Instant, toIso } from '../../core/time/instant.ts'
import { readClock } from '../engine/clock.ts'
import type { Queryable } from '../engine/database.ts'

/** Notes that a backup was taken now, so that `purser doctor` can say how old the last one is. */
export async function noteBackup(db: Queryable): Promise<void> {
  await db.query({
    text: `insert into store_backup (taken_at) values ($1)
           on conflict (is_only) do update set taken_at = excluded.taken_at`,
    values: [toIso(await readClock(db))],
  })
}

/** The end of the last backup. Null if there was none. */
export async function readLastBackup(db: Queryable): Promise<Instant | null> {
  const [row] = await db.query<{ takenAt: Instant }>({
    text: 'select taken_at as "takenAt" from store_backup',
  })
  return row?.takenAt ?? null
}
