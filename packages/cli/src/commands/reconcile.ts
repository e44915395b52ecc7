import type { Command } from 'commander'
import { EXIT, exitWith } from '../exit.ts'
import { countOf } from '../output/count-of.ts'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface ReconcileOptions {
  readonly org?: string
  readonly json?: true
}

const EXIT_CODES = { agrees: EXIT.success, differs: EXIT.failure, undecided: EXIT.usage }

const PROGRESS_EVERY_MS = 1_000

const NOTES = `
Compares the live tables of an organization with its audit log and stops at the
first difference. It only reads, one page at a time. With DATABASE_URL, gateways
may run at the same time; with the embedded database, stop the gateway first.
Exit codes: 0 no differences, 1 a difference, 2 undecided.

It trusts the audit log in the database. To check that this log is the one that
was signed, run "purser verify" on an export. docs/guide-audit.md lists the
columns that no leaf commits to.`

/** `purser reconcile`: checks whether the live tables agree with the audit log (ADR 51). */
export function reconcile(command: Command): void {
  command
    .option(
      '--org <organization>',
      'id of the organization, such as org_…; optional if there is only one',
    )
    .option('--json', 'print only JSON; kind: agrees, differs or undecided')
    .addHelpText('after', NOTES)
    .action(async ({ org, json }: ReconcileOptions) => {
      // Without a database, or with a wrong organization, nothing was compared.
      const outcome = await compare(org).catch((error: unknown) =>
        command.error(`error: ${error instanceof Error ? error.message : String(error)}`),
      )
      const { kind, text } = outcome
      if (json) {
        printJson(outcome)
        exitWith(EXIT_CODES[kind])
      }
      if (kind === 'undecided') return command.error(`error: ${text}`)
      if (kind === 'differs') throw new Error(text ?? '')
      const { toReconciledText } = await import('../reconcile/reconciled-text.ts')
      process.stdout.write(toReconciledText(outcome))
    })
  opensDatabase(command, 'purser reconcile')
}

async function compare(org: string | undefined) {
  // Import the server only here: the help and argument errors do not need it.
  const server = await loadServer()
  if (org !== undefined) server.toOrganizationId(org)
  const storage = await server.openExistingStorage(server.readConfig(process.env), toStandardError)
  let toldAt = performance.now()
  try {
    return await server.reconcile(storage, org, ({ leaves, rows, transactions, budgets }) => {
      if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
      toldAt = performance.now()
      const shown = [
        countOf(leaves, 'leaf', 'leaves'),
        countOf(rows, 'row'),
        countOf(transactions, 'transaction'),
      ]
      const last = countOf(budgets, 'budget')
      process.stderr.write(`${shown.join(', ')} and ${last} compared\n`)
    })
  } finally {
    await storage.db.close()
  }
}
