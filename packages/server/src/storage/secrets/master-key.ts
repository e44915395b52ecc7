import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../engine/database.ts'
import { syncFolder } from '../engine/embedded/synced-files.ts'
import { createSealer, type Sealer } from './sealed.ts'

const FILE = 'master.key'
const CHECK = 'purser master key check'
const INSTALLATION = 'installation'

/**
 * The key that seals secrets: the given one, or the one in the data folder, which is created if
 * there is none. The configuration makes sure that production gives one.
 */
export async function loadMasterKey(given: Buffer | undefined, dataDir: string): Promise<Buffer> {
  if (given) return given
  const path = join(dataDir, FILE)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) await createKeyFile(path)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === 32) return key
  throw new Error(
    `The master key in ${path} is damaged: it must hold 32 bytes as base64. Restore it from a backup; without it the stored secrets cannot be opened.`,
  )
}

/**
 * Writes the key under another name and links it once it is complete and on disk. If two processes
 * start at once, one of them makes the key and both read all of it, and a crash leaves no
 * half-written key.
 */
async function createKeyFile(path: string): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`
  const text = `${randomBytes(32).toString('base64')}\n`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true })
    await link(unfinished, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(dirname(path))
}

/** A sealer for this database, or an error if its secrets were sealed under another key. */
export async function createCheckedSealer(db: Database, masterKey: Buffer): Promise<Sealer> {
  const sealer = createSealer(masterKey)
  await db.query({
    text: 'insert into installation (master_key_check) values ($1) on conflict do nothing',
    values: [sealer.seal(INSTALLATION, 'check', CHECK)],
  })
  const [row] = await db.query<{ check: Buffer }>({
    text: 'select master_key_check as "check" from installation',
  })
  if (row && opens(sealer, row.check)) return sealer
  throw new Error(
    'The master key is not the one this database was set up with. Give the right one in PURSER_MASTER_KEY, or the data folder whose master.key was used.',
  )
}

function opens(sealer: Sealer, check: Buffer): boolean {
  try {
    return sealer.open(INSTALLATION, 'check', check) === CHECK
  } catch {
    // A wrong key looks like this: the authentication tag does not match.
    return false
  }
}
