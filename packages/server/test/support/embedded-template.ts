import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbedded } from '../../src/storage/engine/embedded/open.ts'
import { MIGRATIONS_FOLDER, migrate } from '../../src/storage/engine/migrate.ts'
import { silentLog } from './silent-log.ts'

const CACHE = fileURLToPath(
  new URL('../../../../node_modules/.cache/purser-test-template', import.meta.url),
)
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/**
 * Creates a data folder with a migrated database, once, and keeps it between runs: creating it
 * takes several seconds, and copying it takes a tenth of one. Any change of the migrations or the
 * engine leads to a new one.
 */
export async function prepareEmbeddedTemplate(): Promise<string> {
  const template = join(CACHE, await hashOfInputs())
  if (existsSync(template)) return template
  await removeOldTemplates()
  const unfinished = `${template}.${process.pid}`
  const db = await openEmbedded({ dataDir: unfinished }, silentLog)
  await migrate(db)
  await db.close()
  await rename(unfinished, template).catch(async (error: unknown) => {
    // A different run has finished the same template first.
    if (!existsSync(template)) throw error
    await rm(unfinished, { recursive: true, force: true })
  })
  return template
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256')
  const sources = ['embedded/engine.ts', 'embedded/open.ts', 'migrate.ts'].map((name) =>
    fileURLToPath(new URL(`../../src/storage/engine/${name}`, import.meta.url)),
  )
  const migrations = (await readdir(MIGRATIONS_FOLDER)).sort()
  const manifest = fileURLToPath(new URL('../../package.json', import.meta.url))
  const inputs = [manifest, ...sources, ...migrations.map((name) => join(MIGRATIONS_FOLDER, name))]
  for (const path of inputs) hash.update(path).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

async function removeOldTemplates(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > KEPT_FOR_MS) await rm(path, { recursive: true, force: true })
  }
}
