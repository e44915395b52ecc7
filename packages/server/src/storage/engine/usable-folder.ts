import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'

/** Makes the folder if it is not there. Throws with what to do if this process cannot work in it. */
export async function makeUsable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await requireUsable(folder)
  } catch (error) {
    throw await explain(folder, error)
  }
}

/** A folder that is there. */
export async function requireUsable(folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw await explain(folder, error)
  }
}

const ELSEWHERE = 'or set PURSER_DATA_DIR to another folder.'

async function explain(folder: string, error: unknown): Promise<unknown> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const says = (reason: string): Error =>
    new Error(`The data folder ${folder} ${reason} ${ELSEWHERE}`, { cause: error })
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return says('is a file, or its path leads through a file. Move the file away,')
    case 'EROFS':
      return says('is on a file system that is read-only. Mount it for writing,')
    case 'ENOSPC':
      return says('cannot be created: the disk is full. Free space,')
    case 'EACCES':
    case 'EPERM':
      return says(await explainRights(folder))
    default:
      return error
  }
}

async function explainRights(folder: string): Promise<string> {
  const user = process.getuid?.()
  const found = await stat(folder).catch(() => undefined)
  if (!found) return 'cannot be created by this user. Create it and make this user its owner,'
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`
  if (user === undefined || found.uid === user) {
    return `cannot be written. Run:  chmod u+rwx ${quoted}  ,`
  }
  return `belongs to another user (${found.uid}, and this process runs as ${user}). Run:  sudo chown -R ${user} ${quoted}  ,`
}
