import {
  VERIFY_ARGUMENT,
  VERIFY_DESCRIPTION,
  VERIFY_EXAMPLE,
  VERIFY_JSON,
  VERIFY_NOTES,
  VERIFY_OPTIONS,
} from '../command.ts'

const PROGRAM = 'purser-audit'

/** Aligns the first column as `purser --help` does: the longest entry plus two spaces. */
function table(rows: readonly (readonly [name: string, help: string])[], width: number): string {
  return rows.map(([name, help]) => `  ${name.padEnd(width)}${help}\n`).join('')
}

const OPTIONS = [
  ...[...Object.values(VERIFY_OPTIONS), VERIFY_JSON].map(
    ({ flags, help }) => [flags, help] as const,
  ),
  ['-h, --help', 'display help for command'] as const,
]
const WIDTH = Math.max(...OPTIONS.map(([flags]) => flags.length)) + 2

export const VERIFY_HELP = `Usage: ${PROGRAM} verify [options] <${VERIFY_ARGUMENT.name}>

${VERIFY_DESCRIPTION}

Arguments:
${table([[VERIFY_ARGUMENT.name, VERIFY_ARGUMENT.help]], WIDTH)}
Options:
${table(OPTIONS, WIDTH)}${VERIFY_NOTES}

Example:
  ${PROGRAM} ${VERIFY_EXAMPLE}
`

export const HELP = `Usage: ${PROGRAM} verify <${VERIFY_ARGUMENT.name}> --key <file> [options]

Verifies the audit log of a Purser gateway: ${PROGRAM} verify --help says how.

Options:
  --version   print the version
  -h, --help  display help for command
`
