import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../../../src/storage/engine/database.ts'

export interface Growth {
  readonly walBytes: number
  readonly peakBytes: number
  readonly lastBytes: number
  readonly longestStatementMs: number
}

interface GrowSettings {
  readonly db: Database
  readonly dataDir: string
  /** How much log to write before it ends. */
  readonly walBytes: number
  readonly onSample?: (growth: Growth) => void
}

const ROWS_PER_BATCH = 200
const ROWS_KEPT = 4_000
const BATCHES_PER_SAMPLE = 20

/**
 * Inserts, updates and deletes as fast as it can, so that what is alive stays the same size, and
 * watches the folder. Whatever grows is what nobody cleans up.
 */
export async function grow({ db, dataDir, walBytes, onSample }: GrowSettings): Promise<Growth> {
  await db.query({ text: 'create table churn (id int primary key, text text, changes int)' })
  const text = randomBytes(900).toString('hex')
  const start = await walPosition(db)
  let growth: Growth = { walBytes: 0, peakBytes: 0, lastBytes: 0, longestStatementMs: 0 }
  for (let batch = 0; growth.walBytes < walBytes; batch += 1) {
    const startedAt = performance.now()
    await churn(db, batch * ROWS_PER_BATCH, text)
    const tookMs = performance.now() - startedAt
    growth = { ...growth, longestStatementMs: Math.max(growth.longestStatementMs, tookMs) }
    if (batch % BATCHES_PER_SAMPLE !== 0) continue
    const lastBytes = folderBytes(dataDir)
    const peakBytes = Math.max(growth.peakBytes, lastBytes)
    growth = { ...growth, walBytes: (await walPosition(db)) - start, lastBytes, peakBytes }
    onSample?.(growth)
  }
  return growth
}

async function churn(db: Database, firstId: number, text: string): Promise<void> {
  const lastId = firstId + ROWS_PER_BATCH - 1
  await db.query({
    text: 'insert into churn select id, $3, 0 from generate_series($1::int, $2::int) as id',
    values: [firstId, lastId, text],
  })
  await db.query({
    text: 'update churn set changes = changes + 1 where id between $1 and $2',
    values: [firstId, firstId + 20],
  })
  await db.query({ text: 'delete from churn where id <= $1', values: [lastId - ROWS_KEPT] })
}

async function walPosition(db: Database): Promise<number> {
  const text = "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as position"
  const [row] = await db.query<{ position: number }>({ text })
  return row?.position ?? 0
}

/** Files may go while they are looked at. */
export function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}
