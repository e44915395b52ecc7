import type { Command } from 'commander'
import { toName } from './name.ts'
import { toStandardError } from './warnings.ts'

interface KeyOptions {
  readonly org?: string
  readonly name: string
  readonly json?: true
}

/**
 * `purser keys create`: another key with every scope. Like init it opens the database itself, so that
 * a lost key is no lost organization.
 */
export function keys(program: Command): void {
  program
    .command('keys')
    .description('make API keys without having one')
    .command('create')
    .description('create a key with every scope and print it, once')
    .option('--org <organization>', 'its id, such as org_…; not needed where there is one only')
    .option('--name <name>', 'name of the key', 'Made by the operator')
    .option('--json', 'print {"organizationId": …, "id": …, "apiKey": …} and nothing else')
    .action((options: KeyOptions) => run(options))
}

async function run({ org, name, json }: KeyOptions): Promise<void> {
  const checked = toName(name, 'key')
  // Imported only here: the help, and mistakes in the command line, need none of the server.
  const { createOwnerKey, openStorage, readConfig } = await import('@purser/server')
  const config = readConfig(process.env)
  const storage = await openStorage(config, toStandardError)
  try {
    const created = await createOwnerKey(storage, config, { organizationId: org, name: checked })
    process.stdout.write(json ? `${JSON.stringify(created)}\n` : toText(created))
  } finally {
    await storage.db.close()
  }
}

function toText(created: { organizationId: string; id: string; apiKey: string }): string {
  return [
    'Created an API key with every scope.',
    '',
    `  organizationId  ${created.organizationId}`,
    `  id              ${created.id}`,
    `  apiKey          ${created.apiKey}`,
    '',
    'Keep it now: it is stored only as a hash and cannot be shown again. If another was lost, revoke that one.',
    '',
  ].join('\n')
}
