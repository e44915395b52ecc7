import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../engine/embedded/synced-files.ts'
import { makeUsable } from '../engine/usable-folder.ts'

/** The path of the master key. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'master.key')
}

/** The path of the next key during a rotation of the master key; gateways read it too. */
export function nextKeyFileIn(dataDir: string): string {
  return join(dataDir, 'master.key.next')
}

export async function readKeyFile(path: string): Promise<Buffer> {
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length === 32) return key
  throw new Error(
    `The master key in ${path} is damaged: it must contain 32 bytes in base64. Restore it from a backup; without it the stored secrets cannot be decrypted.`,
  )
}

/**
 * Creates a key unless there is one. The key is written under a temporary name, and linked once it
 * is complete and on disk. If two processes start at once, one of them creates the key and both
 * read all of it, and a crash leaves no half-written key.
 */
export async function makeKeyFile(path: string): Promise<void> {
  if (existsSync(path)) return
  await makeUsable(dirname(path))
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`
  const text = `${randomBytes(32).toString('base64')}\n`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true })
    await linkOnce(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(dirname(path))
}

/**
 * Makes the next key the master key, in one atomic step for all readers. The old key stays in a
 * file of its own, because backups of the database need it. Returns the path of that file.
 */
export async function adoptNextKey(dataDir: string, name: string): Promise<string> {
  const path = keyFileIn(dataDir)
  const retired = `${path}.${name}`
  await linkOnce(path, retired)
  await rename(nextKeyFileIn(dataDir), path)
  await syncFolder(dataDir)
  return retired
}

async function linkOnce(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
}
