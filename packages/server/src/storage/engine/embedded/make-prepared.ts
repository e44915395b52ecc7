import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readClock } from '../clock.ts'
import { migrate } from '../migrate.ts'
import { ensurePartitions } from '../partitions.ts'
import { openEmbedded } from './open.ts'
import { preparedFileIn, writePrepared } from './prepared.ts'

/**
 * Makes the database that first starts begin with, and keeps it as a file in the folder, unless it
 * is there. It is migrated and empty: no organization, and nothing that was sealed with a key.
 *
 * It has the partitions of the months that follow, because making them takes a second of CPU. A
 * start in a later month makes those that are missing then, as every start does.
 */
export async function makePrepared(folder: string): Promise<void> {
  const file = await preparedFileIn(folder)
  if (existsSync(file)) return
  const dataDir = await mkdtemp(join(tmpdir(), 'purser-prepare-'))
  try {
    await createDatabase(dataDir)
    await removeOthers(folder)
    await writePrepared(join(dataDir, 'db'), file)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function createDatabase(dataDir: string): Promise<void> {
  const db = await openEmbedded({ dataDir }, NO_LOG)
  try {
    await migrate(db)
    await ensurePartitions(db, await readClock(db))
  } finally {
    await db.close()
  }
}

const NO_LOG = { info(): void {}, warn(): void {}, error(): void {} }

/** Those of other versions would only take space. */
async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) await rm(join(folder, name), { force: true })
}
