import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keyFileIn, nextKeyFileIn } from './key-files.ts'

/**
 * The permission bits that files with a secret must not have: those of the group and of other
 * users.
 */
const OF_OTHERS = 0o077

interface Exposed {
  readonly path: string
  /** The command that fixes it. */
  readonly mend: string
}

/**
 * Finds files with secrets, and the data folder, that other users of this machine can read or
 * write, each with the command that fixes it. The folder counts too: a user who can list it can
 * link its files.
 */
export async function findExposed(
  dataDir: string,
  secretFiles: readonly string[],
): Promise<Exposed[]> {
  // Windows has no such permission bits.
  if (process.platform === 'win32') return []
  const shownOnce = ['initial-api-key', 'setup-token'].map((name) => join(dataDir, name))
  const ownFiles = [keyFileIn(dataDir), nextKeyFileIn(dataDir), ...shownOnce]
  const exposed = await Promise.all([dataDir, ...ownFiles, ...secretFiles].map(findExposure))
  return exposed.flatMap((one) => one ?? [])
}

async function findExposure(path: string): Promise<Exposed | undefined> {
  const found = await stat(path).catch(() => undefined)
  // A path that cannot be inspected is missing, or code that opens it reports a better error.
  if (!found || (found.mode & OF_OTHERS) === 0) return undefined
  const mode = found.isDirectory() ? '700' : '600'
  return { path, mend: `chmod ${mode} '${path.replaceAll("'", "'\\''")}'` }
}
