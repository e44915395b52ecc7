import type { Command } from 'commander'
import { showProgress } from '../backup/show-progress.ts'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface RestoreOptions {
  readonly json?: true
  readonly finish?: true
  readonly originalStopped?: true
  readonly holdDeliveries?: true
  readonly releaseDeliveries?: true
}

const NOTES = `
The store must be empty: a database without rows at DATABASE_URL, or a data
folder without a database. Either engine reads a backup of either engine. The
command checks the whole file, and that the master key fits, before it writes a
row. Set PURSER_MASTER_KEY, or copy master.key of the original into the data
folder first.

A restored store is closed, because its original may still run: reads work, but
spends and changes get 503, and no webhook, message, signature or completion
leaves it.
Stop the original, then run "purser restore --finish". It lists what the store
will send and complete, and asks whether the original has stopped. Gateways of
the restored store may run meanwhile. A backup that "purser backup --move" wrote
needs no --finish.`

/** `purser restore`: reads a backup into an empty store, and opens that store later (ADR 59). */
export function restore(command: Command): void {
  command
    .argument('[file]', 'a file that "purser backup" wrote')
    .option('--finish', 'open a restored store, after its original has stopped')
    .option('--original-stopped', 'with --finish: confirms that the original has stopped')
    .option(
      '--hold-deliveries',
      'with --finish: keep webhook deliveries and messages to people waiting',
    )
    .option('--release-deliveries', 'send the deliveries and messages that --hold-deliveries kept')
    .option('--json', 'print only a JSON object')
    .addHelpText('after', NOTES)
    .action(async (file: string | undefined, options: RestoreOptions) => {
      const mistake = findMistake(file, options)
      if (mistake !== undefined) command.error(`error: ${mistake}`)
      if (options.finish) await finish(options)
      else if (options.releaseDeliveries) await release(options)
      else if (file !== undefined) await run(file, options)
    })
  opensDatabase(command, 'purser restore /backups/purser-monday.gz')
}

function findMistake(file: string | undefined, options: RestoreOptions): string | undefined {
  const { finish, releaseDeliveries, originalStopped, holdDeliveries } = options
  if (!finish && (originalStopped || holdDeliveries)) {
    return '--original-stopped and --hold-deliveries need --finish, which comes after the restore.'
  }
  if (finish && releaseDeliveries) return 'use --finish first, and --release-deliveries later.'
  const isLater = finish || releaseDeliveries
  if (isLater && file !== undefined) return '--finish and --release-deliveries take no file.'
  if (isLater || file !== undefined) return undefined
  return 'name the file of a backup, or --finish.'
}

async function run(file: string, { json }: RestoreOptions): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, restoreBackup } = await loadServer()
  const { toManifestText } = await import('../backup/manifest-text.ts')
  const progress = showProgress('Wrote')
  const onChecked: Parameters<typeof restoreBackup>[1]['onChecked'] = (manifest) => {
    if (!json) process.stdout.write(`${file} is whole: ${toManifestText(manifest)}\n`)
  }
  const options = { file, onChecked, onProgress: progress.on }
  const manifest = await restoreBackup(readConfig(process.env), options, toStandardError).finally(
    progress.end,
  )
  const { isMove } = manifest
  if (json) return printJson({ file, state: isMove ? 'open' : 'restored', manifest })
  process.stdout.write(
    isMove
      ? 'The store is restored and open. You can start its gateways.\n'
      : 'The store is restored and closed. Stop the original, then run:  purser restore --finish\n',
  )
}

async function finish({ originalStopped, json, ...options }: RestoreOptions): Promise<void> {
  const holdDeliveries = options.holdDeliveries === true
  const { findClosedStore, finishRestore, readConfig } = await loadServer()
  const { toPendingText } = await import('../backup/pending-text.ts')
  const config = readConfig(process.env)
  const { note, pending } = await findClosedStore(config, toStandardError)
  if (!json) process.stdout.write(`${note}\n${toPendingText(pending, holdDeliveries)}`)
  const { confirm } = await import('../backup/confirm.ts')
  const question = 'Has the original stopped for good? Two running stores would spend twice.'
  if (!originalStopped && !(await confirm(question))) {
    throw new Error(
      'The store stays closed. When the original has stopped, run:  purser restore --finish --original-stopped',
    )
  }
  await finishRestore(config, holdDeliveries, toStandardError)
  if (json) return printJson({ state: holdDeliveries ? 'holding' : 'open', note, pending })
  process.stdout.write('The store is open. Running gateways notice it within a second.\n')
  if (holdDeliveries) {
    process.stdout.write(
      'Deliveries and messages wait. Send them with:  purser restore --release-deliveries\n',
    )
  }
}

async function release({ json }: RestoreOptions): Promise<void> {
  const { readConfig, releaseDeliveries } = await loadServer()
  await releaseDeliveries(readConfig(process.env), toStandardError)
  if (json) return printJson({ state: 'open' })
  process.stdout.write('Webhook deliveries and messages to people are released.\n')
}
