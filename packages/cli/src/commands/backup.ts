import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { showProgress } from '../backup/show-progress.ts'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
The file contains the whole store: every organization, with its budgets, audit
logs, stored answers and webhook queue. It is compressed, and its hashes show
damage. Only your user can read it. It never contains the master key, and a
restore needs that key: keep both, in different places.

This command opens the database itself, and needs no API key. Gateways may run
at the same time. With DATABASE_URL it reads one snapshot. With the embedded
database it asks the running gateway for a copy of the files, which needs as
much disk space as the database, and reads that copy.
"purser restore" reads the file into an empty store of either engine.

With --move the store accepts no spends and no changes from then on: they get
503 "store_moved". The file has everything that was answered, so the restored
store opens at once. Restore it only once: two restored stores would spend
twice.`

interface BackupOptions {
  readonly json?: true
  readonly move?: true
  readonly cancelMove?: true
}

/** `purser backup`: writes the whole store to a file (ADR 59). */
export function backup(command: Command): void {
  command
    .argument('[file]', 'name of the new file, such as purser-backup.gz')
    .option('--move', 'close this store for good, so that the restored one opens at once')
    .option('--cancel-move', 'open the store again after a move that was cut off')
    .option('--json', 'print only a JSON object')
    .addHelpText('after', NOTES)
    .action((file: string | undefined, { move, cancelMove, json }: BackupOptions) => {
      if (cancelMove) return cancel(json)
      if (file === undefined) return command.error('error: name the new file.')
      return run(file, move === true, json)
    })
  withExample(command, 'purser backup /backups/purser-monday.gz')
}

async function run(file: string, isMove: boolean, json: true | undefined): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { backUpStore, readConfig } = await loadServer()
  const progress = showProgress('Read')
  const options = { file, isMove, onProgress: progress.on }
  const { manifest, waitedMs } = await backUpStore(
    readConfig(process.env),
    options,
    toStandardError,
  ).finally(progress.end)
  const waited = waitedMs === undefined ? null : Math.ceil(waitedMs)
  if (json) return printJson({ file, waitedMs: waited, manifest })
  const { toManifestText } = await import('../backup/manifest-text.ts')
  process.stdout.write(`Wrote ${file}: ${toManifestText(manifest)}\n`)
  if (waited !== null) {
    process.stdout.write(`Decisions waited ${waited} ms for the copy of the files.\n`)
  }
  if (!isMove) return
  process.stdout.write(
    'This store is closed for good. Restore the file once, point clients to the new gateway, and stop the gateways here.\n',
  )
}

async function cancel(json: true | undefined): Promise<void> {
  const { cancelStoreMove, readConfig } = await loadServer()
  await cancelStoreMove(readConfig(process.env), toStandardError)
  if (json) return printJson({ state: 'open' })
  process.stdout.write('The store is open. Delete the files of the move that was cut off.\n')
}
