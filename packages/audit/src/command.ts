// The texts of the `verify` command. `purser verify` and `purser-audit verify` are the same command
// in two programs, so both use these texts.

export const VERIFY_DESCRIPTION = 'verify an exported audit log offline, with the public key alone'

export const VERIFY_ARGUMENT = {
  name: 'export',
  help: 'the file, or - for standard input',
} as const

/** Each option with the file that it takes. */
export const VERIFY_OPTIONS = {
  key: { flags: '--key <file>', help: 'the public key of the log, or several, one per line' },
  head: { flags: '--head <file>', help: 'a signed head that you kept; can be repeated' },
  receipts: { flags: '--receipts <file>', help: 'receipts that you kept, one per line' },
} as const

/** The option without a file. */
export const VERIFY_JSON = {
  flags: '--json',
  help: 'print only JSON; kind: fits, mismatch or undecided',
} as const

export const HEADS_MAX = 1_000
export const TOO_MANY_HEADS = `error: --head can be repeated at most ${HEADS_MAX} times`

/** The arguments of an example, after the name of the program. */
export const VERIFY_EXAMPLE = 'verify audit-log.ndjson --key log.vkey --head head.txt'

export const VERIFY_NOTES = `
The command reads only files: the export of an audit log, the public key of that
log, and the heads and receipts that you kept. It needs no gateway and no
network. It stops at the first mistake and names the line. Exit codes: 0
everything fits, 1 something does not fit, 2 no result: a file or an option
cannot be used, or the export cannot be compared with the heads and receipts
that you kept.

Two kinds of tampering show only if you compare the export with heads or
receipts that you kept elsewhere: a log that was rolled back to an earlier
state, and events that were removed before they were signed.`
