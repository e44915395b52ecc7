import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
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
export async function readProfile(name: string): Promise<Profile | undefined> {
  return (await readProfiles()).get(name)
}

/** Reads all profiles. Refuses a file that other users can read. */
export async function readProfiles(): Promise<Map<string, Profile>> {
  const file = profilesFile()
  const text = file === undefined ? undefined : await readPrivate(file)
  if (file === undefined || text === undefined) return new Map()
  return parse(text, file)
}

/** Stores a profile, in place of one with the same name. Returns the path of the file. */
export async function storeProfile(name: string, profile: Profile): Promise<string> {
  const profiles = await readProfiles()
  return await writeAll(profiles.set(name, profile))
}

/** Returns whether the profile existed. */
export async function removeProfile(name: string): Promise<boolean> {
  const profiles = await readProfiles()
  if (!profiles.delete(name)) return false
  await writeAll(profiles)
  return true
}

async function readPrivate(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    // Windows has no such bits; the folder of a user is private there.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new Error(`Other users can read ${file}. Run: chmod 600 "${file}"`)
    }
    return await readFile(file, 'utf8')
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
async function writeAll(profiles: ReadonlyMap<string, Profile>): Promise<string> {
  const file = profilesFile()
  if (file === undefined) {
    throw new Error('There is no folder for profiles: set HOME or XDG_CONFIG_HOME.')
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}.new`
  await rm(next, { force: true })
  const handle = await open(next, 'wx', 0o600)
  try {
    await handle.writeFile(
      `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`,
    )
    await handle.sync()
  } finally {
    await handle.close()
  }
  // The umask can only take rights away, so this restores those of the owner.
  await chmod(next, 0o600)
  await rename(next, file)
  return file
}
