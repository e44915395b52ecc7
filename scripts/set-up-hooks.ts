import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askGit, isCheckout } from './git.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOOKS = '.githooks'

/**
 * Makes git run the hooks of this repository. `npm install` calls it, so it never fails. It does
 * not touch hooks that a developer chose: git uses one folder of hooks, and ours would hide theirs.
 */
async function main(): Promise<void> {
  if (!(await isCheckout(ROOT))) return
  const chosen = await askGit(ROOT, 'config', 'core.hooksPath')
  if (chosen === HOOKS) return
  if (chosen !== undefined || (await hasOwnHooks())) {
    console.log(`You have git hooks of your own. To use those of ${HOOKS}, call them from yours.`)
    return
  }
  await askGit(ROOT, 'config', 'core.hooksPath', HOOKS)
}

async function hasOwnHooks(): Promise<boolean> {
  const folder = await askGit(ROOT, 'rev-parse', '--git-path', 'hooks')
  const files = folder === undefined ? [] : await readdir(resolve(ROOT, folder)).catch(() => [])
  return files.some((file) => !file.endsWith('.sample'))
}

await main()
