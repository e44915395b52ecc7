import { type Instant, toIso } from '../../core/time/instant.ts'
import { readClock } from '../engine/clock.ts'
import type { Queryable } from '../engine/database.ts'
import { hasTable } from './facts.ts'

/** Why a store is not open; the migration that created the table explains each. */
export type StoreState = 'restoring' | 'restored' | 'behind' | 'moving' | 'moved' | 'holding'

export interface StoreStateRow {
  readonly state: StoreState
  readonly since: Instant
  readonly note: string
}

/** Undefined for an open store, and for one that is older than the table. */
export async function findStoreState(db: Queryable): Promise<StoreStateRow | undefined> {
  return (await hasTable(db, 'store_state')) ? readStoreState(db) : undefined
}

/** Undefined for an open store. */
export async function readStoreState(db: Queryable): Promise<StoreStateRow | undefined> {
  const [row] = await db.query<StoreStateRow>({
    name: 'read-store-state',
    text: 'select state, since, note from store_state',
  })
  return row
}

export async function setStoreState(tx: Queryable, state: StoreState, note: string): Promise<void> {
  await tx.query({
    text: `insert into store_state (state, since, note) values ($1, $2, $3)
           on conflict (is_only) do update
           set state = excluded.state, since = excluded.since, note = excluded.note`,
    values: [state, toIso(await readClock(tx)), note],
  })
}

/** The store is open from here on. */
export async function clearStoreState(tx: Queryable): Promise<void> {
  await tx.query({ text: 'delete from store_state' })
}
