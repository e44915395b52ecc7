import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../engine/embedded/synced-files.ts'

/**
 * Writes a secret to a file that only this user can read, and returns when it is on disk. It
 * creates the folder, because with PostgreSQL and a given master key no other step does. It
 * replaces an existing file, because that would keep its own permissions.
 */
export async function writeSecretFile(path: string, secret: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(path, { force: true })
  await writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await syncFolder(folder)
}
