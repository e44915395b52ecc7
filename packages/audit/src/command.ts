// The texts of the `verify` command. `purser verify` and `purser-audit verify` are the same command
// in two programs, so both use these texts.

export const VERIFY_DESCRIPTION = 'verify an exported audit log offline, with the public key alone'

export const VERIFY_ARGUMENT = {
  name: 'export',
  help: 'the file, or - for standard input',
} as const

/** Each option with the file that it takes. */
export const VERIFY_OPTIONS = {
  key: { flags: '--key <file>', help: 'the public key of the log, or several, one in each line' },
  head: { flags: '--head <file>', help: 'a signed head that you kept; may be given again' },
  receipts: { flags: '--receipts <file>', help: 'receipts that you kept, one in each line' },
} as const

export const HEADS_MAX = 1_000
export const TOO_MANY_HEADS = `error: --head may be given ${HEADS_MAX} times`

export const VERIFY_NOTES = `
It needs no gateway and no network, only files: the export of an audit log, the
public key of that log, and what you kept of it. It stops at the first thing that
does not fit and says in which line. Exit codes: 0 everything fits, 1 something
does not, 2 it cannot be said: a file or an option cannot be used, or the export
cannot be compared with what you kept.

A log that was put back to an earlier state, and things that were removed before
they were signed, show only against heads or receipts that you kept elsewhere.`
