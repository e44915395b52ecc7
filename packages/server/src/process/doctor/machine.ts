import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findExposed } from '../../storage/secrets/exposed-files.ts'
import type { Config } from '../config.ts'
import { type Check, fail, messageOf, ok, toSize, warn } from './check.ts'

/** The version in package.json. */
const NODE_MIN = [20, 19] as const

/** Below this many times the limit of free space, the operator should make room. */
const LOW_TIMES = 4

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin, minorMin] = NODE_MIN
  const isNewEnough = major > majorMin || (major === majorMin && minor >= minorMin)
  if (isNewEnough) return ok('node', `Node ${version} runs this command.`)
  return fail(
    'node',
    `Node ${version} is too old.`,
    `Install Node ${NODE_MIN.join('.')} or newer, and start the gateway with it.`,
  )
}

export function checkSettings({ warnings }: Pick<Config, 'warnings'>): Check {
  if (warnings.length === 0) return ok('settings', 'Every setting is valid.')
  const names = warnings.map(({ name, hint }) => `${name} (${hint})`)
  return warn(
    'settings',
    `The environment has variables that are not settings: ${names.join(', ')}`,
    'Correct their names, or remove them.',
  )
}

/** Checks that other users of the machine cannot read files with secrets. */
export async function checkFiles({ storage, secretFiles }: Config): Promise<Check> {
  const exposed = await findExposed(storage.dataDir, secretFiles)
  if (exposed.length === 0) return ok('files', 'No other user can read the files with secrets.')
  return warn(
    'files',
    `Other users of this machine can read ${exposed.map(({ path }) => path).join(', ')}.`,
    `Run: ${exposed.map(({ mend }) => mend).join('; ')}`,
  )
}

/** Checks the free space of the data folder. The disk of a PostgreSQL server cannot be seen. */
export async function checkDisk({ storage }: Pick<Config, 'storage'>): Promise<Check> {
  const { dataDir, databaseUrl, freeBytesMin } = storage
  let free: number
  try {
    const { bavail, bsize } = await statfs(nearestFolder(dataDir))
    free = bavail * bsize
  } catch (error) {
    return warn(
      'disk',
      `The free space of ${dataDir} is unknown: ${messageOf(error)}.`,
      'Check it.',
    )
  }
  const text = `The disk of ${dataDir} has ${toSize(free)} left.`
  if (databaseUrl !== undefined) {
    return ok('disk', `${text} This command cannot see the disk of PostgreSQL.`)
  }
  if (free < freeBytesMin) {
    const action = 'Free space: the gateway refuses spends and changes with 503 storage_full.'
    return fail('disk', text, action)
  }
  if (free < LOW_TIMES * freeBytesMin) {
    const action = `Free space: below ${toSize(freeBytesMin)}, the gateway refuses spends and changes.`
    return warn('disk', text, action)
  }
  return ok('disk', text)
}

/** The folder, or the nearest parent that exists. */
function nearestFolder(path: string): string {
  const parent = dirname(path)
  return existsSync(path) || parent === path ? path : nearestFolder(parent)
}
