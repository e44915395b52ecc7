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
 * Makes the prepared database for first starts (ADR 33), and stores it as a file in the folder, unless
 * it exists. It is migrated and empty: no organization, and no sealed value.
 *
 * It has the partitions of the following months, because creating them takes a second of CPU. A start
 * in a later month creates the missing ones, as every start does.
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

const NO_LOG = { debug() {}, info(): void {}, warn(): void {}, error(): void {} }

/** Removes files of other versions, which would only take space. */
async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) await rm(join(folder, name), { force: true })
}
