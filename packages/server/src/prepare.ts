import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from './storage/engine/embedded/open.ts'
import {
  PREPARED_FOLDER,
  preparedFileIn,
  writePrepared,
} from './storage/engine/embedded/prepared.ts'
import { migrate } from './storage/engine/migrate.ts'

/**
 * Makes the database that first starts begin with, and keeps it as a file. The build runs this, so
 * that nobody waits for it at a start. It is migrated and empty: no organization, and nothing that
 * was sealed with a key.
 */
async function prepare(): Promise<void> {
  const file = await preparedFileIn(PREPARED_FOLDER)
  if (existsSync(file)) return
  const dataDir = await mkdtemp(join(tmpdir(), 'purser-prepare-'))
  try {
    const db = await openEmbedded({ dataDir }, NO_LOG)
    await migrate(db).finally(() => db.close())
    await removeOthers()
    await writePrepared(join(dataDir, 'db'), file)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const NO_LOG = { info(): void {}, warn(): void {}, error(): void {} }

/** Those of other versions would only take space. */
async function removeOthers(): Promise<void> {
  const names = await readdir(PREPARED_FOLDER).catch(() => [])
  for (const name of names) await rm(join(PREPARED_FOLDER, name), { force: true })
}

await prepare()
