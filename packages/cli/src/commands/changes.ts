import { type Command, InvalidArgumentError } from 'commander'
import { loadServer } from '../packages.ts'
import { toPrintable } from './name.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface ListOptions {
  readonly org?: string
  readonly limit: number
  readonly json?: true
}

const LIMIT_MAX = 1_000

/**
 * `purser changes list`: shows who changed what in an organization. Like init it opens the database
 * itself; no gateway may use the embedded one at the same time.
 */
export function changes(group: Command): void {
  const command = group
    .command('list')
    .description('list the latest changes, newest first')
    .option(
      '--org <organization>',
      'id of the organization, such as org_…; optional if there is only one',
    )
    .option('--limit <number>', `number of changes, at most ${LIMIT_MAX}`, toLimit, 50)
    .option('--json', 'print only a JSON array, with the values before and after')
    .action((options: ListOptions) => list(options))
  opensDatabase(command, 'purser changes list --limit 20')
}

function toLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new InvalidArgumentError(`It must be a number from 1 to ${LIMIT_MAX}.`)
}

async function list({ org, limit, json }: ListOptions): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { openExistingStorage, readChanges, readConfig, toOrganizationId } = await loadServer()
  if (org !== undefined) toOrganizationId(org)
  const storage = await openExistingStorage(readConfig(process.env), toStandardError)
  try {
    const all = await readChanges(storage, org, limit)
    const lines = all.map(({ at, actor, actorName, operation, subjectId }) =>
      [at, operation, subjectId, 'by', actor, toPrintable(actorName ?? '')].join(' ').trimEnd(),
    )
    process.stdout.write(
      json ? `${JSON.stringify(all)}\n` : lines.map((line) => `${line}\n`).join(''),
    )
  } finally {
    await storage.db.close()
  }
}
