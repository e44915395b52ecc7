import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keyFileIn, nextKeyFileIn } from './key-files.ts'

/** What other users of the machine may not do with files that hold a secret. */
const OF_OTHERS = 0o077

interface Exposed {
  readonly path: string
  /** The command that mends it. */
  readonly mend: string
}

/**
 * Files with secrets, and the data folder, that other users of this machine can read or write, each
 * with what to do about it. The folder counts too: whoever can list it can link its files.
 */
export async function findExposed(
  dataDir: string,
  secretFiles: readonly string[],
): Promise<Exposed[]> {
  // Windows has no such modes.
  if (process.platform === 'win32') return []
  const shownOnce = ['initial-api-key', 'setup-token'].map((name) => join(dataDir, name))
  const ownFiles = [keyFileIn(dataDir), nextKeyFileIn(dataDir), ...shownOnce]
  const exposed = await Promise.all([dataDir, ...ownFiles, ...secretFiles].map(findExposure))
  return exposed.flatMap((one) => one ?? [])
}

async function findExposure(path: string): Promise<Exposed | undefined> {
  const found = await stat(path).catch(() => undefined)
  // What cannot be looked at is either not there, or somebody else says so better.
  if (!found || (found.mode & OF_OTHERS) === 0) return undefined
  const mode = found.isDirectory() ? '700' : '600'
  return { path, mend: `chmod ${mode} '${path.replaceAll("'", "'\\''")}'` }
}
