import type { Command } from 'commander'
import { toName } from './name.ts'
import { toStandardError } from './warnings.ts'

interface KeyOptions {
  readonly org?: string
  readonly name: string
  readonly scopes?: string
  readonly json?: true
}

/**
 * `purser keys create`: creates a key with every scope, or with the named ones. Like init it opens
 * the database itself, so that an organization with a lost key is not lost.
 */
export function keys(program: Command): void {
  program
    .command('keys')
    .description('make API keys without having one')
    .command('create')
    .description('create a key and print it, once')
    .option('--org <organization>', 'its id, such as org_…; not needed where there is one only')
    .option('--name <name>', 'name of the key', 'Made by the operator')
    .option(
      '--scopes <scopes>',
      'such as gateway:write,transactions:read; without them every scope',
    )
    .option('--json', 'print {"organizationId": …, "id": …, "apiKey": …} and nothing else')
    .action((options: KeyOptions) => run(options))
}

async function run({ org, name, scopes: named, json }: KeyOptions): Promise<void> {
  const checked = toName(name, 'key')
  // Import the server only here, because the help does not need it.
  const { createOwnerKey, openStorage, readConfig, readScopes, toOrganizationId } = await import(
    '@purser/server'
  )
  if (org !== undefined) toOrganizationId(org)
  const scopes = named === undefined ? null : readScopes(named)
  const config = readConfig(process.env)
  const storage = await openStorage(config, toStandardError)
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
    'Keep it now: it is stored only as a hash and cannot be shown again. If another was lost, revoke that one.',
    '',
  ].join('\n')
}
