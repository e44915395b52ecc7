import { existsSync, readdirSync } from 'node:fs'
import { RECORD_FILE } from './record.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Refuses an environment that belongs to a real installation. Throws one sentence for a person. */
export function refuseEnvironment(env: Env): void {
  const database = ['DATABASE_URL', 'DATABASE_URL_FILE'].find((name) => env[name])
  if (database !== undefined) {
    throw new Error(
      `The demo does not start, because ${database} is set: it writes invented spends, and only into an embedded database of its own. Unset ${database} for this command.`,
    )
  }
  if (env['PURSER_ENV'] === 'production') {
    throw new Error(
      'The demo does not start, because PURSER_ENV is production: it signs people in with a printed link. Unset PURSER_ENV for this command.',
    )
  }
}

/** Refuses a folder with files that no demo has written, also for `--reset`, which removes all of them. */
export function refuseForeignFolder(folder: string): void {
  if (!existsSync(folder)) return
  const names = readdirSync(folder)
  if (names.length === 0 || names.includes(RECORD_FILE)) return
  throw new Error(
    `The demo does not start, because the folder ${folder} belongs to another installation, or has other files. Choose a new folder with --data-dir.`,
  )
}

/** Refuses a demo folder that has an organization other than that of the demo. */
export function refuseOtherOrganization(
  folder: string,
  known: string,
  found: readonly string[],
): void {
  if (found.length === 1 && found[0] === known) return
  throw new Error(
    `The demo does not start, because the folder ${folder} has an organization that is not from the demo. Choose a new folder with --data-dir.`,
  )
}
