import type { Command } from 'commander'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
The new key starts to sign within a minute. The old key also signs for 30 days,
so that anyone who has one of the two can verify. Within that time, get the new
public key from "keys" of GET /api/v1/audit-log/proof, and keep the old keys:
they verify older checkpoints.

With DATABASE_URL, gateways keep running. With the embedded database, stop the
gateway, run this, and start it again.`

/** `purser rotate-log-key`: rotates the key that signs the audit logs. */
export function rotateLogKey(command: Command): void {
  command
    .option('--json', 'print only JSON: {"alsoUntil": …}')
    .addHelpText('after', NOTES)
    .action(run)
  opensDatabase(command, 'purser rotate-log-key')
}

async function run({ json }: { readonly json?: true }): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, rotateLogKey: rotate } = await loadServer()
  const { alsoUntil } = await rotate(readConfig(process.env), toStandardError)
  if (json) return printJson({ alsoUntil })
  process.stdout.write(
    `A new key signs the audit logs. The previous key also signs until ${alsoUntil}.\n`,
  )
}
