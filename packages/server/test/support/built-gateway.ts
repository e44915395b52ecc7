import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/purser-test-gateway')
const KEPT_FOR_MS = 60 * 60 * 1000

/**
 * The gateway as JavaScript, made from the source as it is and kept until that changes; gives the
 * path of its main file. Tests that start many processes need it: a start through tsx takes three
 * seconds of the processor, this one takes one. It is not `dist`, which may be of another day.
 */
export function buildGateway(): Promise<string> {
  built ??= build()
  return built
}

/** Once per process, so that all gateways of a test are the same, also while somebody edits. */
let built: Promise<string> | undefined

async function build(): Promise<string> {
  const folder = join(CACHE, await hashOfSource())
  const main = join(folder, 'dist', 'main.js')
  if (existsSync(main)) return main
  await removeOldBuilds()
  const unfinished = `${folder}.${process.pid}`
  const parameters = ['-p', 'packages/server', '--noCheck', '--incremental', 'false']
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...parameters,
      '--outDir',
      `${unfinished}/dist`,
    ],
    { cwd: ROOT },
  )
  await symlink(MIGRATIONS_FOLDER, join(unfinished, 'migrations'))
  await rename(unfinished, folder).catch(async (error: unknown) => {
    // Another worker has finished the same one first.
    if (!existsSync(main)) throw error
    await rm(unfinished, { recursive: true, force: true })
  })
  return main
}

async function hashOfSource(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(SOURCE, { recursive: true })).sort()) {
    if (!name.endsWith('.ts')) continue
    hash.update(name).update(await readFile(join(SOURCE, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

async function removeOldBuilds(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > KEPT_FOR_MS) await rm(path, { recursive: true, force: true })
  }
}
