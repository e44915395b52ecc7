import type { Command } from 'commander'
import { loadServer } from '../packages.ts'
import { toName } from './name.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface InitOptions {
  readonly org: string
  readonly json?: true
}

/**
 * `purser init --org <name>`: creates an organization and its first API key. It opens the database
 * itself, because it has no key yet for a call to a gateway.
 */
export function init(command: Command): void {
  command
    .requiredOption('--org <name>', 'name of the organization')
    .option('--json', 'print only JSON: {"organizationId": …, "apiKey": …}')
    .action((options: InitOptions) => run(options))
  opensDatabase(command, 'purser init --org "Acme"')
}

async function run({ org, json }: InitOptions): Promise<void> {
  const name = toName(org, 'organization')
  // Import the server only here: the help and argument errors do not need it.
  const { countOrganizations, createOrganization, findKeyFile, openStorage, readConfig } =
    await loadServer()
  const config = readConfig(process.env)
  const isFirstStart = config.storage.databaseUrl === undefined && !json
  if (isFirstStart)
    process.stderr.write('Opening the embedded database (creating one takes a few seconds) …\n')
  const storage = await openStorage(config, toStandardError)
  try {
    const existing = await countOrganizations(storage.db)
    if (existing > 0) process.stderr.write(toNote(existing, findKeyFile(config)))
    const created = await createOrganization(storage, config, name)
    process.stdout.write(json ? `${JSON.stringify(created)}\n` : toText(name, created))
  } finally {
    await storage.db.close()
  }
}

/** Tells an operator who meant an existing organization how to get its key. */
function toNote(existing: number, keyFile: string | undefined): string {
  const there = existing === 1 ? 'is 1 organization' : `are ${existing} organizations`
  const use = keyFile
    ? `To use the existing one, use the key of the first start:  cat "${keyFile}"`
    : 'To use an existing one, use one of its keys; POST /api-keys creates more.'
  return `Note: there ${there} already; this creates another one with separate data.\n${use}\n`
}

function toText(name: string, created: { organizationId: string; apiKey: string }): string {
  return [
    `Created the organization "${name}".`,
    '',
    `  organizationId  ${created.organizationId}`,
    `  apiKey          ${created.apiKey}`,
    '',
    'Save the key now: only its hash is stored, so it cannot be shown again.',
    '',
  ].join('\n')
}
