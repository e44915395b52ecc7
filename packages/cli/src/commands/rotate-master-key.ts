import type { Command } from 'commander'
import { toStandardError } from './warnings.ts'

interface RotateOptions {
  readonly finish?: true
}

const NOTES = `
With the embedded database: stop the gateway, run this, start it again. The new
key is made in the data folder, and the old one is kept beside it. If keys are
given by the environment, give the new one in PURSER_MASTER_KEY and the one until
now in PURSER_MASTER_KEY_PREVIOUS.

With DATABASE_URL no gateway has to stop for long:
  1. Set PURSER_MASTER_KEY to the new key and PURSER_MASTER_KEY_PREVIOUS to the
     one until now, and restart every gateway, one after the other. They read
     both keys and still seal with the old one.
  2. Run this, with the same settings.
  3. Restart every gateway once more: they seal with the new key from then on.
  4. Run this with --finish. What was sealed with the old key meanwhile is sealed
     again.
  5. Remove PURSER_MASTER_KEY_PREVIOUS at the next restart.
It can be interrupted and run again at any point. Backups from before still need
the old key.`

/**
 * `purser rotate-master-key`: rotates the master key and seals all stored secrets with the new one
 * (ADR 29).
 */
export function rotateMasterKey(program: Command): void {
  program
    .command('rotate-master-key')
    .description('seal all stored secrets under a new master key')
    .option('--finish', 'every gateway was restarted since: end the rotation')
    .addHelpText('after', NOTES)
    .action((options: RotateOptions) => run(options))
}

async function run({ finish = false }: { readonly finish?: boolean }): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { readConfig, rotateMasterKey: rotate } = await import('@purser/server')
  const rotation = await rotate(readConfig(process.env), finish, toStandardError)
  process.stdout.write(`${toText(rotation)}\n`)
}

function toText(rotation: {
  readonly resealed: number
  readonly isFinished: boolean
  readonly retiredFile: string | undefined
}): string {
  const { resealed, isFinished, retiredFile } = rotation
  const count = resealed === 1 ? '1 value was' : `${resealed} values were`
  const lines = [`${count} sealed under the new master key.`]
  if (!isFinished) {
    lines.push(
      'Gateways that were started before this still seal with the old key. Restart every one of them, with both keys set;',
      'then run  purser rotate-master-key --finish  and keep both keys until it is done.',
    )
  } else if (retiredFile !== undefined) {
    lines.push(
      'The rotation is finished, and the gateway can be started.',
      `The old key is in ${retiredFile}: delete it when no backup of the database needs it.`,
    )
  } else {
    lines.push(
      'The rotation is finished. PURSER_MASTER_KEY_PREVIOUS is not needed any more; keep that key as long as your backups.',
    )
  }
  return lines.join('\n')
}
