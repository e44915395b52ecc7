import type { Command } from 'commander'
import { toStandardError } from './warnings.ts'

const NOTES = `
The new key signs within a minute, and the old one beside it for 30 days, so whoever
knows one of them can verify. Get the new public key within that time, from "keys" of
GET /api/v1/audit-log/proof, and keep the old ones: they verify what they have signed.

With DATABASE_URL gateways go on meanwhile. With the embedded database, stop the
gateway, run this, and start it again.`

/** `purser rotate-log-key`: rotates the key that signs the audit logs. */
export function rotateLogKey(program: Command): void {
  program
    .command('rotate-log-key')
    .description('sign the audit logs with a new key, and with the old one for a while')
    .addHelpText('after', NOTES)
    .action(run)
}

async function run(): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, rotateLogKey: rotate } = await import('@purser/server')
  const { alsoUntil } = await rotate(readConfig(process.env), toStandardError)
  process.stdout.write(
    `A new key signs the audit logs, and the key before beside it until ${alsoUntil}.\n`,
  )
}
