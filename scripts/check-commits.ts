import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inspectMessage, isToBeSquashed } from './commit-message.ts'
import { askGit, isCheckout } from './git.ts'

interface Commit {
  readonly hash: string
  readonly message: string
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const THIS_FILE = 'scripts/check-commits.ts'
/** Lines that git writes into a message for the author, and removes again. */
const COMMENTS = /^#.*$/gm
const SCISSORS = /^# -+ >8 -+$/m

/** Checks the message in a file, as a hook passes it, or else all commits since this check exists. */
async function main(messageFile: string | undefined): Promise<void> {
  const isFine =
    messageFile === undefined ? await checkNewCommits() : await checkMessage(messageFile)
  if (!isFine) process.exitCode = 1
}

async function checkNewCommits(): Promise<boolean> {
  const commits = await listNewCommits()
  if (commits === undefined) {
    console.log('No commit message was checked: git knows no commit that holds this check.')
    return true
  }
  const faulty = commits.filter(({ hash, message }) => complain(hash, message))
  if (faulty.length === 0) return true
  console.error(
    'CONTRIBUTING.md says how a commit is written. To reword the last one: git commit --amend; others: git rebase -i',
  )
  return false
}

/**
 * Returns the commits that build on the one that added this file. Earlier commits, and branches
 * that started before it, were written without this check. A shallow clone shows its oldest commit
 * as the one that added every file, so there the check starts with the commit after that.
 */
async function listNewCommits(): Promise<Commit[] | undefined> {
  if (!(await isCheckout(ROOT))) return undefined
  const touching = await askGit(ROOT, 'log', '--reverse', '--format=%H', 'HEAD', '--', THIS_FILE)
  const [first = ''] = touching?.split('\n') ?? []
  if (first === '') return undefined
  const range = ['--ancestry-path', '--no-merges', `${first}..HEAD`]
  const log = await askGit(ROOT, 'log', '-z', '--format=%h%n%B', ...range)
  const entries = (log ?? '').split('\0').filter((entry) => entry !== '')
  return entries.map((entry) => {
    const end = entry.indexOf('\n')
    return { hash: entry.slice(0, end), message: entry.slice(end + 1) }
  })
}

async function checkMessage(file: string): Promise<boolean> {
  const [written = ''] = (await readFile(file, 'utf8')).split(SCISSORS)
  const message = written.replace(COMMENTS, '')
  const isMerge = (await askGit(ROOT, 'rev-parse', '--verify', 'MERGE_HEAD')) !== undefined
  if (isMerge || isToBeSquashed(message) || !complain('The commit', message)) return true
  console.error(`Nothing was committed, and the message is kept: git commit -e -F ${file}`)
  return false
}

/** Prints complaints about the message. Returns whether there were any. */
function complain(name: string, message: string): boolean {
  const complaints = inspectMessage(message)
  if (complaints.length === 0) return false
  const [subject] = message.trim().split('\n')
  console.error([`${name}: ${subject}`, ...complaints].join('\n  - '))
  return true
}

await main(process.argv[2])
