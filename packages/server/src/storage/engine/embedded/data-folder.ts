import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { makeUsable } from '../usable-folder.ts'
import { askClaim, type Claim, makeClaim, type Verdict } from './claim.ts'

type Unlock = () => Promise<void>

/** The smallest limit of the systems that this runs on (macOS), without the closing zero. */
const SOCKET_PATH_BYTES_MAX = 103

const CLAIM_NAME = /^lock-[0-9a-f]{16}\.sock$/

/**
 * Creates the folder and holds it against every other process, until the returned function is
 * called or the process ends, however it ends.
 *
 * A process id in a file could not do this, because containers use the same ids again. Instead
 * every starting process listens on its own socket in the folder and connects to all the others. A
 * socket without a listener refuses the connection: its process is gone, and its file is removed.
 *
 * A claim appears under its name only once it listens, and a starting process looks at the others
 * only after its own claim has appeared. So the later of two starters always sees the earlier one.
 * If both see each other, the one with the larger name gives up, and the smaller one waits for that.
 */
export async function lockDataFolder(folder: string): Promise<Unlock> {
  await makeUsable(folder)
  return process.platform === 'win32' ? lockWithPipe(folder) : lockWithSockets(folder)
}

async function lockWithSockets(folder: string): Promise<Unlock> {
  const directory = await open(folder, 'r')
  const toPath = (name: string): string => toSocketPath(folder, name, directory.fd)
  const name = `lock-${randomBytes(8).toString('hex')}.sock`
  const claim = await makeVisibleClaim(folder, name, toPath).catch(async (error: unknown) => {
    await directory.close()
    throw new Error(`The data folder ${folder} cannot be locked: ${messageOf(error)}`, {
      cause: error,
    })
  })
  const unlock = async (): Promise<void> => {
    await rm(join(folder, name), { force: true })
    await claim.withdraw()
    await directory.close()
  }
  try {
    await refuseOthers(folder, name, toPath)
  } catch (error) {
    await unlock()
    throw error
  }
  claim.hold()
  return unlock
}

/**
 * A socket looks dead between its creation and its listening, so it gets its name only afterwards.
 */
async function makeVisibleClaim(
  folder: string,
  name: string,
  toPath: (name: string) => string,
): Promise<Claim> {
  const hidden = `new-${name}`
  const claim = await makeClaim(toPath(hidden))
  await rename(join(folder, hidden), join(folder, name))
  return claim
}

async function refuseOthers(
  folder: string,
  ownName: string,
  toPath: (name: string) => string,
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => CLAIM_NAME.test(name))
  for (const name of names.filter((it) => it !== ownName)) {
    const verdict = await askClaim(toPath(name), name > ownName)
    refuseUnlessGone(folder, verdict)
    await rm(join(folder, name), { force: true })
  }
}

function refuseUnlessGone(folder: string, verdict: Verdict): void {
  if (verdict.kind === 'gone') return
  const holder = verdict.pid === 0 ? '' : ` (pid ${verdict.pid})`
  throw new Error(
    `The data folder ${folder} is in use by another Purser process${holder}. ` +
      'Stop it first, or set PURSER_DATA_DIR to another folder.',
  )
}

/**
 * Socket addresses are short. A long path is given relative to here, or through the open folder.
 */
export function toSocketPath(folder: string, name: string, directory: number): string {
  const full = join(folder, name)
  const candidates = [full, relative(process.cwd(), full)]
  if (process.platform === 'linux') candidates.push(`/proc/self/fd/${directory}/${name}`)
  const path = candidates.find((it) => Buffer.byteLength(it) <= SOCKET_PATH_BYTES_MAX)
  if (path !== undefined) return path
  throw new Error('its path is too long for a socket. Choose a shorter one.')
}

/** A named pipe belongs to one process and disappears with it, so its name alone is the lock. */
async function lockWithPipe(folder: string): Promise<Unlock> {
  const hash = createHash('sha256').update((await realpath(folder)).toLowerCase())
  const path = `\\\\.\\pipe\\purser-${hash.digest('hex')}`
  try {
    const claim = await makeClaim(path)
    claim.hold()
    return claim.withdraw
  } catch {
    refuseUnlessGone(folder, await askClaim(path, true))
    throw new Error(`The data folder ${folder} was just released. Start again.`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
