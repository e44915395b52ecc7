import type { Command } from 'commander'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
Verifiers of mandate tokens cache the published keys for five minutes. So the
new key is published at once and signs six minutes later, and the old one stays
published until its last token has expired.

With DATABASE_URL, gateways keep running: each one reloads the keys within a
minute, without a restart. With the embedded database, stop the gateway, run
this, and start it again.`

/** `purser rotate-signing-key`: rotates the key that signs mandate tokens. */
export function rotateSigningKey(command: Command): void {
  command
    .option('--json', 'print only JSON: {"kid": …, "signsFrom": …, "publishedUntil": …}')
    .addHelpText('after', NOTES)
    .action(run)
  opensDatabase(command, 'purser rotate-signing-key')
}

async function run({ json }: { readonly json?: true }): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, rotateSigningKey: rotate } = await loadServer()
  const { kid, signsFrom, publishedUntil } = await rotate(readConfig(process.env), toStandardError)
  if (json) return printJson({ kid, signsFrom, publishedUntil })
  process.stdout.write(
    `Published the key ${kid}; it signs from ${signsFrom}.\nThe previous key stays published until ${publishedUntil}.\n`,
  )
}
