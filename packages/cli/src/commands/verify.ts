import {
  HEADS_MAX,
  TOO_MANY_HEADS,
  VERIFY_ARGUMENT,
  VERIFY_EXAMPLE,
  VERIFY_JSON,
  VERIFY_NOTES,
  VERIFY_OPTIONS,
} from '@purser/audit/command'
import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { EXIT, exitWith } from '../exit.ts'
import { printJson } from '../output/print.ts'
import { loadVerifier } from '../packages.ts'

interface VerifyOptions {
  readonly key: string
  readonly head?: readonly string[]
  readonly receipts?: string
  readonly json?: true
}

const EXIT_CODES = { fits: EXIT.success, mismatch: EXIT.failure, undecided: EXIT.usage }

/** `purser verify <export>`: `purser-audit verify` of `@purser/audit`, for people who have the CLI. */
export function verify(command: Command): void {
  const { key: keyOption, head: headOption, receipts: receiptsOption } = VERIFY_OPTIONS
  command
    .argument(`<${VERIFY_ARGUMENT.name}>`, VERIFY_ARGUMENT.help)
    .requiredOption(keyOption.flags, keyOption.help)
    .option(headOption.flags, headOption.help, collect)
    .option(receiptsOption.flags, receiptsOption.help)
    .option(VERIFY_JSON.flags, VERIFY_JSON.help)
    .addHelpText('after', VERIFY_NOTES)
    .action(async (file: string, { key, head = [], receipts, json }: VerifyOptions) => {
      if (head.length > HEADS_MAX) command.error(TOO_MANY_HEADS)
      // Import it only here, because no other command needs it.
      const { toFindingsText, verifyFile } = await loadVerifier()
      const tell = (text: string): void => void process.stderr.write(text)
      const outcome = await verifyFile(file, { key, heads: head, receipts }, tell).catch(
        // Exit code 1 means that the audit log is wrong, so an unexpected error ends with 2.
        (error: unknown) =>
          command.error(`error: ${error instanceof Error ? error.message : String(error)}`),
      )
      if (json) {
        printJson(outcome)
        exitWith(EXIT_CODES[outcome.kind])
      }
      if (outcome.kind === 'undecided') return command.error(`error: ${outcome.text}`)
      if (outcome.kind === 'mismatch') throw new Error(outcome.text)
      process.stdout.write(toFindingsText(outcome.findings, outcome.compared))
    })
  withExample(command, `purser ${VERIFY_EXAMPLE}`)
}

function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file]
}
