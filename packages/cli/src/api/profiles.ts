// The promises of `node:fs` load slowly, and every command with a profile reads this file.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** A stored API key, and the gateway that it belongs to. */
export interface Profile {
  readonly baseUrl: string
  readonly apiKey: string
}

export const DEFAULT_PROFILE = 'default'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Whether a text can name a profile. */
export function isProfileName(text: string): boolean {
  return NAME.test(text) && text !== '__proto__'
}

/** Returns the file of the profiles; undefined if the environment names no folder for it. */
export function profilesFile(): string | undefined {
  const { XDG_CONFIG_HOME: config = '', HOME: home = '', APPDATA: windows = '' } = process.env
  // The XDG specification says to ignore relative paths.
  if (isAbsolute(config)) return join(config, 'purser', 'profiles.json')
  if (process.platform === 'win32' && windows) return join(windows, 'purser', 'profiles.json')
  return isAbsolute(home) ? join(home, '.config', 'purser', 'profiles.json') : undefined
}

/** Returns a profile; undefined if it does not exist. */
export function readProfile(name: string): Profile | undefined {
  return readProfiles().get(name)
}

/** Reads all profiles. Refuses a file that other users can read. */
export function readProfiles(): Map<string, Profile> {
  const file = profilesFile()
  const text = file === undefined ? undefined : readPrivate(file)
  if (file === undefined || text === undefined) return new Map()
  return parse(text, file)
}

/** Stores a profile, in place of one with the same name. Returns the path of the file. */
export function storeProfile(name: string, profile: Profile): string {
  return writeAll(readProfiles().set(name, profile))
}

/** Returns whether the profile existed. */
export function removeProfile(name: string): boolean {
  const profiles = readProfiles()
  if (!profiles.delete(name)) return false
  writeAll(profiles)
  return true
}

function readPrivate(file: string): string | undefined {
  try {
    const { mode } = statSync(file)
    // Windows has no such bits; the folder of a user is private there.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new Error(`Other users can read ${file}. Run: chmod 600 "${file}"`)
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string, file: string): Map<string, Profile> {
  const mistake = new Error(
    `${file} is not a file of profiles. Remove it, and run "purser login" again.`,
  )
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    // The error of the parser would quote the file, and with it a key.
    throw mistake
  }
  const { profiles } = Object(stored) as { profiles?: unknown }
  const entries = Object.entries(Object(profiles) as Record<string, unknown>)
  return new Map(
    entries.map(([name, value]) => {
      const { baseUrl, apiKey } = Object(value) as Partial<Profile>
      if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') throw mistake
      return [name, { baseUrl, apiKey }]
    }),
  )
}

/** Replaces the file at once, so that an interrupted command leaves the old one. */
function writeAll(profiles: ReadonlyMap<string, Profile>): string {
  const file = profilesFile()
  if (file === undefined) {
    throw new Error('There is no folder for profiles: set HOME or XDG_CONFIG_HOME.')
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}.new`
  rmSync(next, { force: true })
  const handle = openSync(next, 'wx', 0o600)
  try {
    const text = JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)
    writeFileSync(handle, `${text}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  // The umask can only take rights away, so this restores those of the owner.
  chmodSync(next, 0o600)
  renameSync(next, file)
  return file
}
