import type { Command } from 'commander'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface RotateOptions {
  readonly finish?: true
  readonly json?: true
}

const NOTES = `
With the embedded database: stop the gateway, run this, start it again. The new
key is created in the data folder, and the old one is kept beside it. If you set
keys in the environment, set the new one in PURSER_MASTER_KEY and the current
one in PURSER_MASTER_KEY_PREVIOUS.

With DATABASE_URL, a rolling restart is enough:
  1. Set PURSER_MASTER_KEY to the new key and PURSER_MASTER_KEY_PREVIOUS to the
     current one, and restart the gateways one by one. They read both keys and
     still encrypt with the old one.
  2. Run this with the same settings.
  3. Restart every gateway again: from then on they encrypt with the new key.
  4. Run this with --finish. It re-encrypts values that were encrypted with the
     old key in between.
  5. Remove PURSER_MASTER_KEY_PREVIOUS at the next restart.
You can interrupt it and run it again at any point. Older backups still need the
old key.`

/**
 * `purser rotate-master-key`: rotates the master key and seals all stored secrets with the new one
 * (ADR 29).
 */
export function rotateMasterKey(command: Command): void {
  command
    .option('--finish', 'finish the rotation, after every gateway was restarted')
    .option('--json', 'print only JSON: {"resealed": …, "isFinished": …, "retiredFile": …}')
    .addHelpText('after', NOTES)
    .action((options: RotateOptions) => run(options))
  opensDatabase(command, 'purser rotate-master-key --finish')
}

async function run({ finish, json }: RotateOptions): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, rotateMasterKey: rotate } = await loadServer()
  const rotation = await rotate(readConfig(process.env), finish === true, toStandardError)
  const { resealed, isFinished, retiredFile = null } = rotation
  if (json) return printJson({ resealed, isFinished, retiredFile })
  process.stdout.write(`${toText(rotation)}\n`)
}

function toText(rotation: {
  readonly resealed: number
  readonly isFinished: boolean
  readonly retiredFile: string | undefined
}): string {
  const { resealed, isFinished, retiredFile } = rotation
  const count = resealed === 1 ? '1 value was' : `${resealed} values were`
  const lines = [`${count} re-encrypted with the new master key.`]
  if (!isFinished) {
    lines.push(
      'Running gateways still encrypt with the old key. Restart all of them with both keys set;',
      'then run  purser rotate-master-key --finish  and keep both keys until it has finished.',
    )
  } else if (retiredFile !== undefined) {
    lines.push(
      'The rotation is finished. You can start the gateway.',
      `The old key is in ${retiredFile}: delete it once no backup of the database needs it.`,
    )
  } else {
    lines.push(
      'The rotation is finished. PURSER_MASTER_KEY_PREVIOUS is no longer needed; keep that key as long as your backups.',
    )
  }
  return lines.join('\n')
}
