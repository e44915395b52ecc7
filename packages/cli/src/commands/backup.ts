import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { showProgress } from '../backup/show-progress.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
The file contains the whole store: every organization, with its budgets, audit
logs, stored answers and webhook queue. It is compressed, and its hashes show
damage. Only your user can read it. It never contains the master key, and a
restore needs that key: keep both, in different places.

Gateways may run at the same time. With DATABASE_URL the command reads one
snapshot. With the embedded database it asks the running gateway for a copy of
the files, which needs as much disk space as the database, and reads that copy.
"purser restore" reads the file into an empty store of either engine.`

/** `purser backup`: writes the whole store to a file (ADR 59). */
export function backup(command: Command): void {
  command
    .argument('<file>', 'name of the new file, such as purser-backup.gz')
    .addHelpText('after', NOTES)
    .action(run)
  withExample(command, 'purser backup /backups/purser-monday.gz')
}

async function run(file: string): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { backUpStore, readConfig } = await import('@purser/server')
  const progress = showProgress('Read')
  const options = { file, onProgress: progress.on }
  const { manifest, waitedMs } = await backUpStore(
    readConfig(process.env),
    options,
    toStandardError,
  ).finally(progress.end)
  const { toManifestText } = await import('../backup/manifest-text.ts')
  process.stdout.write(`Wrote ${file}: ${toManifestText(manifest)}\n`)
  if (waitedMs === undefined) return
  process.stdout.write(`Decisions waited ${Math.ceil(waitedMs)} ms for the copy of the files.\n`)
}
