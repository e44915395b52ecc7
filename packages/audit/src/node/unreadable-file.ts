import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you do not have permission to read it',
}

/**
 * Returns a message about the first of these files that cannot be read. The files are checked
 * without opening them, because a pipe can be read only once.
 */
export async function findUnreadable(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const reason = await unreadableBecause(file)
    if (reason !== undefined) return `${file} cannot be read: ${reason}`
  }
  return undefined
}

async function unreadableBecause(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).isDirectory()) return 'it is a folder'
    await access(file, constants.R_OK)
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return REASONS[String(error.code)] ?? error.message
  }
}
