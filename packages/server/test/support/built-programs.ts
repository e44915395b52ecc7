import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { waitUntil } from './wait-until.ts'

interface BuiltPrograms {
  /** The main file of the gateway. */
  readonly gateway: string
  /** The file of the `purser` command, which loads that same gateway. */
  readonly cli: string
  /** The main file of the `purser-audit` command. */
  readonly audit: string
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const PACKAGES = ['audit', 'sdk', 'mcp', 'server', 'cli'] as const
const LISTS_FOLDER = join(ROOT, 'packages/server/lists')
/** Committed: the build only writes the files that it loads. */
const CLI_FOLDER = join(ROOT, 'packages/cli/bin')
/** The scripts with which the build bundles the modules of a package. */
const BUNDLE = join(ROOT, 'scripts/bundle.mjs')
const BUNDLE_AUDIT = join(ROOT, 'scripts/bundle-audit.mjs')
const BUNDLE_CLI = join(ROOT, 'scripts/bundle-cli.mjs')
const COMPILE_CLI = join(ROOT, 'scripts/compile-cli.mjs')
const BUNDLE_MCP = join(ROOT, 'scripts/bundle-mcp.mjs')
const BUNDLE_SDK = join(ROOT, 'scripts/bundle-sdk.mjs')
const BUNDLE_LIBRARIES = join(ROOT, 'scripts/bundle-libraries.mjs')
const SCRIPTS = [
  ...[BUNDLE, BUNDLE_AUDIT, BUNDLE_CLI, BUNDLE_MCP, BUNDLE_SDK, BUNDLE_LIBRARIES],
  COMPILE_CLI,
]
/** Names the versions of the packages whose code is in the bundles. */
const LOCK_FILE = join(ROOT, 'package-lock.json')
const CACHE = join(ROOT, 'node_modules/.cache/purser-test-programs')
const KEPT_FOR_MS = 60 * 60 * 1000

/**
 * Builds the programs as JavaScript from the current source, in their published form, and keeps
 * them until the source changes. Tests that start many processes need this: a start through tsx
 * takes three seconds of processor time, and this one takes one. It does not use `dist`, which may
 * be out of date.
 */
export function buildPrograms(): Promise<BuiltPrograms> {
  built ??= build()
  return built
}

/** Built once per process, so that all processes of a test are the same, even during an edit. */
let built: Promise<BuiltPrograms> | undefined

async function build(): Promise<BuiltPrograms> {
  const folder = join(CACHE, await hashOfSource())
  const programs = {
    gateway: join(folder, 'server/dist/main.js'),
    cli: join(folder, 'cli/bin/purser.js'),
    audit: join(folder, 'audit/dist/purser-audit.js'),
  }
  if (existsSync(folder)) return programs
  await removeOldBuilds()
  if (await isBuiltByOther(folder)) return programs
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished)
  await Promise.all([
    runScript(BUNDLE_AUDIT, join(unfinished, 'audit/dist')),
    runScript(BUNDLE_SDK, join(unfinished, 'sdk/dist')),
    runScript(BUNDLE, join(unfinished, 'server/dist')),
    runScript(BUNDLE_MCP, join(unfinished, 'mcp/dist')),
    runScript(BUNDLE_CLI, join(unfinished, 'cli/dist')),
  ])
  for (const name of PACKAGES) {
    await copyFile(
      join(ROOT, 'packages', name, 'package.json'),
      join(unfinished, name, 'package.json'),
    )
  }
  await cp(CLI_FOLDER, join(unfinished, 'cli/bin'), { recursive: true })
  await symlink(MIGRATIONS_FOLDER, join(unfinished, 'server', 'migrations'))
  await symlink(LISTS_FOLDER, join(unfinished, 'server', 'lists'))
  // Node looks for the packages there, from inside `cli`, `mcp` and `server`.
  await mkdir(join(unfinished, 'node_modules/@purser'), { recursive: true })
  for (const name of ['audit', 'sdk', 'mcp', 'server']) {
    await symlink(`../../${name}`, join(unfinished, 'node_modules/@purser', name))
  }
  await rename(unfinished, folder).catch(async (error: unknown) => {
    // A different worker has finished the same build first.
    if (!existsSync(folder)) throw error
    await rm(unfinished, { recursive: true, force: true })
  })
  return programs
}

/**
 * Waits while a different worker builds the same, because a build takes several seconds of CPU, and
 * after an edit most workers need one at the same time. Returns whether that worker has finished it.
 */
async function isBuiltByOther(folder: string): Promise<boolean> {
  const isAtWork = async (): Promise<boolean> => {
    const names = await readdir(CACHE)
    const pids = names.map((name) => name.split(`${basename(folder)}.`)[1])
    return pids.some((pid) => pid !== undefined && isAlive(Number(pid)))
  }
  await waitUntil(async () => existsSync(folder) || !(await isAtWork()))
  return existsSync(folder)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function runScript(...parameters: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, parameters, { cwd: ROOT })
}

async function hashOfSource(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [...SCRIPTS, LOCK_FILE, join(CLI_FOLDER, 'purser.js')])
    hash.update(await readFile(file))
  for (const folder of PACKAGES.map((name) => join(ROOT, 'packages', name))) {
    hash.update(await readFile(join(folder, 'package.json')))
    for (const name of (await readdir(join(folder, 'src'), { recursive: true })).sort()) {
      if (!name.endsWith('.ts')) continue
      hash.update(name).update(await readFile(join(folder, 'src', name)))
    }
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
