import type { Migrated } from '@purser/server'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { countOf } from '../output/count-of.ts'
import { print, printJson, tell } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
A gateway applies missing migrations when it starts, so this command is only
needed to do it beforehand, and for a store on several machines.

With --distributed the tables move to the workers of a PostgreSQL with Citus,
each organization to one of them (docs/distributed.md). It needs DATABASE_URL of
the coordinator, the extension, and active workers. Stop all gateways first: the
command refuses while one is connected. It can be repeated, also after it was
cut off, and is run again after migrations that add tables. --undistribute moves
all tables back. Both copy every row, and the target needs the disk space for
them.

This command opens the database itself, and needs no API key.`

interface MigrateOptions {
  readonly distributed?: true
  readonly shards?: number
  readonly undistribute?: true
  readonly status?: true
  readonly json?: true
}

/** `purser migrate`: migrations, and the places of the tables (ADR 64). */
export function migrate(command: Command): void {
  command
    .addOption(
      new Option('--distributed', 'move the tables to the workers').conflicts([
        'undistribute',
        'status',
      ]),
    )
    .option(
      '--shards <number>',
      'with the first --distributed: number of parts of each table (default of Citus: 32)',
      toShardCount,
    )
    .addOption(
      new Option('--undistribute', 'move all tables back to the coordinator').conflicts('status'),
    )
    .option('--status', 'show where the tables are; changes nothing')
    .option('--json', 'print only a JSON object')
    .addHelpText('after', NOTES)
    .action((options: MigrateOptions) => {
      if (options.shards !== undefined && !options.distributed) {
        return command.error('error: --shards needs --distributed.')
      }
      return options.status ? show(options.json) : run(options)
    })
  withExample(command, 'purser migrate --distributed')
}

const SHARDS_MAX = 1_024

function toShardCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= SHARDS_MAX) return count
  throw new InvalidArgumentError(`Use a whole number from 1 to ${SHARDS_MAX}.`)
}

async function show(json: true | undefined): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, readStoreDistribution } = await loadServer()
  const distribution = await readStoreDistribution(readConfig(process.env), toStandardError)
  if (json) return printJson(distribution)
  const { toDistributionLines } = await import('../migrate/distribution-text.ts')
  print(toDistributionLines(distribution))
}

async function run(options: MigrateOptions): Promise<void> {
  const result = await carryOut(options)
  if (options.json) return printJson(result)
  const { toDistributionLines } = await import('../migrate/distribution-text.ts')
  const { migrations, moved, distribution } = result
  print([
    `Applied ${countOf(migrations, 'migration')}, moved ${countOf(moved.length, 'table')}.`,
    ...toDistributionLines(distribution),
  ])
}

async function carryOut({ distributed, undistribute, shards }: MigrateOptions): Promise<Migrated> {
  // Import the server only here: the help and argument errors do not need it.
  const { distributeStore, migrateStore, readConfig, undistributeStore } = await loadServer()
  const config = readConfig(process.env)
  const onTable = (name: string): void => tell(`Moving ${name} …`)
  if (distributed) {
    const options = { onTable, ...(shards !== undefined && { shardCount: shards }) }
    return distributeStore(config, toStandardError, options)
  }
  if (undistribute) return undistributeStore(config, toStandardError, onTable)
  return migrateStore(config, toStandardError)
}
