import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Returns the output of git, or undefined if it failed: git is not installed, or the query has no
 * result.
 */
export async function askGit(folder: string, ...parameters: string[]): Promise<string | undefined> {
  const limits = { timeout: 60_000, maxBuffer: 256 * 1_024 * 1_024 }
  return run('git', parameters, { cwd: folder, ...limits }).then(
    ({ stdout }) => stdout.trimEnd(),
    () => undefined,
  )
}

/**
 * Whether the folder is the top of a git checkout. A source archive that was unpacked inside the
 * checkout of a different project is not: that project's commits and settings are not ours.
 */
export async function isCheckout(folder: string): Promise<boolean> {
  const top = await askGit(folder, 'rev-parse', '--show-toplevel')
  return top !== undefined && (await realpath(top)) === (await realpath(folder))
}
