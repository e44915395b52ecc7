import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { loadServer } from '../packages.ts'
import { toName } from './name.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface KeyOptions {
  readonly org?: string
  readonly name: string
  readonly scopes?: string
  readonly json?: true
}

interface GenerateOptions {
  readonly live?: true
  readonly json?: true
}

/**
 * `purser keys create`: creates a key with every scope, or with the named ones. Like init it opens
 * the database itself, so that an organization with a lost key is not lost. `purser keys generate`
 * stores nothing.
 */
export function keys(command: Command): void {
  const generateCommand = command
    .command('generate')
    .description(
      'print a new API key without storing it, for the setting PURSER_INIT_API_KEY of a first start',
    )
    .option('--live', 'a key for production, which begins with psr_live_')
    .option('--json', 'print only JSON: {"apiKey": …}')
    .action((options: GenerateOptions) => generate(options))
  withExample(generateCommand, 'purser keys generate --live')
  const createCommand = command
    .command('create')
    .description('create an API key and print it (shown once)')
    .option(
      '--org <organization>',
      'id of the organization, such as org_…; optional if there is only one',
    )
    .option('--name <name>', 'name of the key', 'Created by the operator')
    .option(
      '--scopes <scopes>',
      'comma-separated, such as gateway:write,transactions:read; default: every scope',
    )
    .option('--json', 'print only JSON: {"organizationId": …, "id": …, "apiKey": …}')
    .action((options: KeyOptions) => run(options))
  opensDatabase(createCommand, 'purser keys create --scopes gateway:write,transactions:read')
}

async function generate({ live, json }: GenerateOptions): Promise<void> {
  const { mintApiKey } = await loadServer()
  const { token: apiKey } = mintApiKey(live ? 'live' : 'test')
  process.stdout.write(json ? `${JSON.stringify({ apiKey })}\n` : `${apiKey}\n`)
}

async function run({ org, name, scopes: named, json }: KeyOptions): Promise<void> {
  const checked = toName(name, 'key')
  // Import the server only here, because the help does not need it.
  const { createOwnerKey, openExistingStorage, readConfig, readScopes, toOrganizationId } =
    await loadServer()
  if (org !== undefined) toOrganizationId(org)
  const scopes = named === undefined ? null : readScopes(named)
  const config = readConfig(process.env)
  const storage = await openExistingStorage(config, toStandardError)
  try {
    const wanted = { organizationId: org, name: checked, scopes }
    const created = await createOwnerKey(storage, config, wanted)
    process.stdout.write(json ? `${JSON.stringify(created)}\n` : toText(created, scopes))
  } finally {
    await storage.db.close()
  }
}

function toText(
  created: { organizationId: string; id: string; apiKey: string },
  scopes: readonly string[] | null,
): string {
  const may = scopes === null ? 'every scope' : `the scopes ${scopes.join(', ')}`
  return [
    `Created an API key with ${may}.`,
    '',
    `  organizationId  ${created.organizationId}`,
    `  id              ${created.id}`,
    `  apiKey          ${created.apiKey}`,
    '',
    'Save it now: only its hash is stored, so it cannot be shown again. If you lost another key, revoke that one.',
    '',
  ].join('\n')
}
