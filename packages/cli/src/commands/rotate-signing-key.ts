import type { Command } from 'commander'
import { toStandardError } from './warnings.ts'

const NOTES = `
Whoever verifies mandate tokens keeps the published keys for five minutes. So the
new key is published at once and signs six minutes later, and the old one stays
published until its last token has ended and been seen.

With DATABASE_URL gateways go on meanwhile: each one reads the keys again within a
minute, and none has to restart. With the embedded database, stop the gateway, run
this, and start it again.`

/** `purser rotate-signing-key`: rotates the key that signs mandate tokens. */
export function rotateSigningKey(program: Command): void {
  program
    .command('rotate-signing-key')
    .description('publish a new key for mandate tokens, and sign with it once it is known')
    .addHelpText('after', NOTES)
    .action(run)
}

async function run(): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, rotateSigningKey: rotate } = await import('@purser/server')
  const { kid, signsFrom, publishedUntil } = await rotate(readConfig(process.env), toStandardError)
  process.stdout.write(
    `The key ${kid} is published, and signs from ${signsFrom}.\nThe key before is published until ${publishedUntil}.\n`,
  )
}
