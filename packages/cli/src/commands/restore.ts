import type { Command } from 'commander'
import { showProgress } from '../backup/show-progress.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
The store must be empty: a database without rows at DATABASE_URL, or a data
folder without a database. Either engine reads a backup of either engine. The
command checks the whole file, and that the master key fits, before it writes a
row. Set PURSER_MASTER_KEY, or copy master.key of the original into the data
folder first.`

/** `purser restore`: reads a backup into an empty store (ADR 59). */
export function restore(command: Command): void {
  command
    .argument('<file>', 'a file that "purser backup" wrote')
    .addHelpText('after', NOTES)
    .action(run)
  opensDatabase(command, 'purser restore /backups/purser-monday.gz')
}

async function run(file: string): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, restoreBackup } = await import('@purser/server')
  const { toManifestText } = await import('../backup/manifest-text.ts')
  const progress = showProgress('Wrote')
  const onChecked: Parameters<typeof restoreBackup>[1]['onChecked'] = (manifest) => {
    process.stdout.write(`${file} is whole: ${toManifestText(manifest)}\n`)
  }
  const options = { file, onChecked, onProgress: progress.on }
  await restoreBackup(readConfig(process.env), options, toStandardError).finally(progress.end)
  process.stdout.write('The store is restored.\n')
}
