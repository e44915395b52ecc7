import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { TextRow } from '../../storage/backup/dump.ts'
import { syncFolder } from '../../storage/engine/embedded/synced-files.ts'
import { FORMAT, type Manifest, type TableHead, type TableSum } from './format.ts'

export interface BackupWriter {
  beginTable(head: TableHead): Promise<void>
  addRows(rows: readonly TextRow[]): Promise<void>
  /** Ends the table, and returns its sums. */
  endTable(): TableSum
  /** Writes the manifest, syncs the file and gives it its name. */
  finish(manifest: Manifest): Promise<void>
  /** Removes the unfinished file. */
  abandon(): Promise<void>
}

/**
 * Creates the file under a temporary name that only this user can read. It gets its name once it is
 * complete and on disk, so a file with the right name is always a whole backup. An existing file is
 * never replaced.
 */
export function createBackupFile(path: string): BackupWriter {
  const target = resolve(path)
  if (existsSync(target)) throw taken(path)
  const folder = dirname(target)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Create it first.`)
  const unfinished = `${target}.${randomBytes(4).toString('hex')}.unfinished`
  const gzip = createGzip()
  const file = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true })
  let failure: unknown
  const written = pipeline(gzip, file).catch((error: unknown) => {
    failure = error
  })
  const whole = createHash('sha256')
  let table = { name: '', rows: 0, hash: createHash('sha256') }

  async function write(text: string): Promise<void> {
    if (failure !== undefined) throw explain(failure, path)
    whole.update(text)
    table.hash.update(text)
    if (gzip.write(text)) return
    // A failed file never drains.
    await Promise.race([once(gzip, 'drain').catch(() => {}), written])
  }

  return {
    async beginTable(head) {
      if (table.name === '') await write(toLine({ purserBackup: FORMAT }))
      table = { name: head.table, rows: 0, hash: createHash('sha256') }
      await write(toLine(head))
    },
    async addRows(rows) {
      table.rows += rows.length
      await write(rows.map(toLine).join(''))
    },
    endTable: () => ({
      name: table.name,
      rows: table.rows,
      sha256: table.hash.digest('hex'),
    }),
    async finish(manifest) {
      table.hash = createHash('sha256')
      await write(toLine({ manifest }))
      const sha256 = whole.copy().digest('hex')
      await write(toLine({ sha256 }))
      gzip.end()
      await written
      if (failure !== undefined) throw explain(failure, path)
      if (existsSync(target)) throw taken(path)
      await rename(unfinished, target)
      await syncFolder(dirname(target)).catch(async (error: unknown) => {
        // A move that fails opens its store again, so it must leave no file.
        await rm(target, { force: true })
        throw explain(error, path)
      })
    },
    async abandon() {
      gzip.destroy()
      await written
      await rm(unfinished, { force: true })
    },
  }
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

function taken(path: string): Error {
  return new Error(`The file ${path} exists already. Choose a different name, or remove it first.`)
}

function explain(error: unknown, path: string): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = error instanceof Error ? error.message : String(error)
  if (code === 'ENOSPC') {
    return new Error(`There is no room for ${path}: free space, or choose a different disk.`)
  }
  return new Error(`Could not write ${path}: ${reason}`, { cause: error })
}
