import type { Command } from 'commander'

interface VerifyOptions {
  readonly key: string
  readonly head?: readonly string[]
  readonly receipts?: string
}

const HEADS_MAX = 1_000

const NOTES = `
It needs no gateway and no network, only files: the export of an audit log, the
public key of that log, and what you kept of it. It stops at the first thing that
does not fit and says in which line. Exit codes: 0 everything fits, 1 something
does not, 2 it cannot be said: a file or an option cannot be used, or the export
cannot be compared with what you kept.

A log that was put back to an earlier state, and things that were removed before
they were signed, show only against heads or receipts that you kept elsewhere.`

/** `purser verify <export>`: whether an audit log is what was signed, and all of it. */
export function verify(program: Command): void {
  const command = program
    .command('verify')
    .description('verify an exported audit log offline, with the public key alone')
    .argument('<export>', 'the file, or - for standard input')
    .requiredOption('--key <file>', 'the public key of the log, or several, one in each line')
    .option('--head <file>', 'a signed head that you kept; may be given again', collect)
    .option('--receipts <file>', 'receipts that you kept, one in each line')
    .addHelpText('after', NOTES)
    .action(async (file: string, { key, head = [], receipts }: VerifyOptions) => {
      if (head.length > HEADS_MAX) command.error(`error: --head may be given ${HEADS_MAX} times`)
      // Imported only here, because no other command needs it.
      const { verifyFile } = await import('../verify/verify-file.ts')
      const tell = (text: string): void => void process.stderr.write(text)
      const outcome = await verifyFile(file, { key, heads: head, receipts }, tell)
      if (outcome.kind === 'undecided') return command.error(`error: ${outcome.text}`)
      if (outcome.kind === 'mismatch') throw new Error(outcome.text)
      const { toFindingsText } = await import('../verify/findings-text.ts')
      process.stdout.write(toFindingsText(outcome.findings, outcome.compared))
    })
}

function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file]
}
