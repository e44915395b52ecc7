import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './harness.ts'

const run = promisify(execFile)

/** Returns the full hash of a commit, by any of its names. */
export async function findCommit(name: string): Promise<string> {
  const asked = run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: ROOT })
  const { stdout } = await asked.catch(() => {
    throw new Error(`${name} names no commit of this repository.`)
  })
  return stdout.trim()
}

/** Returns the commit of the current tree, and whether there are uncommitted changes. */
export async function describePresent(): Promise<{ commit: string; isChanged: boolean }> {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: ROOT })
  return { commit: await findCommit('HEAD'), isChanged: stdout !== '' }
}

/**
 * Writes the files of a commit into a folder and builds them there. It uses its own index instead
 * of `git worktree`, so that nothing stays in the repository, whatever happens to the folder.
 */
export async function buildCommit(
  commit: string,
  folder: string,
  /** The package to build; all if omitted. */
  part?: 'server',
): Promise<void> {
  const env = { ...process.env, GIT_INDEX_FILE: `${folder}.index` }
  await run('git', ['read-tree', commit], { cwd: ROOT, env })
  await run('git', ['checkout-index', '--all', `--prefix=${folder}/`], { cwd: ROOT, env })
  if (await hasSameLock(folder)) await linkAllPackages(folder)
  // Scripts are not run: `prepare` would build too early, and set up git hooks.
  else await npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund')
  await npm(folder, 'run', '--silent', 'build', ...(part ? ['--', part] : []))
}

async function hasSameLock(folder: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all(
    [ROOT, folder].map((root) => readFile(join(root, 'package-lock.json'), 'utf8')),
  )
  return ours === theirs
}

/** npm keeps packages that only one workspace needs in that workspace. */
async function linkAllPackages(folder: string): Promise<void> {
  const workspaces = (await readdir(join(ROOT, 'packages'))).map((name) => join('packages', name))
  for (const place of ['.', ...workspaces].map((parent) => join(parent, 'node_modules'))) {
    if (existsSync(join(ROOT, place))) await linkPackages(folder, place)
  }
}

/**
 * Links each package instead of all of `node_modules`: the relative links in it lead to our own
 * packages, but must lead to those of the commit.
 */
async function linkPackages(folder: string, place: string): Promise<void> {
  await mkdir(join(folder, place), { recursive: true })
  for (const entry of await readdir(join(ROOT, place), { withFileTypes: true })) {
    const path = join(place, entry.name)
    if (entry.name.startsWith('@')) await linkPackages(folder, path)
    else {
      const target = entry.isSymbolicLink() ? await readlink(join(ROOT, path)) : join(ROOT, path)
      await symlink(target, join(folder, path))
    }
  }
}

async function npm(folder: string, ...parameters: string[]): Promise<void> {
  // Inside `npm run`, the environment names our folder and may ask for silence.
  const child = spawn('npm', ['--prefix', folder, '--loglevel=error', ...parameters], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The compiler prints its complaints on standard output, which is for the report.
  child.stdout.pipe(process.stderr)
  child.stderr.pipe(process.stderr)
  // Its pipes close when the last of its child processes has ended. Only then nothing writes to the
  // folder any more.
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`npm ${parameters.join(' ')} failed with ${code} in ${folder}.`)
}
