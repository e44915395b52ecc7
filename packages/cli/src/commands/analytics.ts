import type { Command } from 'commander'
import { countOf } from '../output/count-of.ts'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

interface RebuildOptions {
  readonly org?: string
  readonly json?: true
}

const PROGRESS_EVERY_MS = 1_000

const NOTES = `
Rebuilds the totals from the stored transactions. With DATABASE_URL, gateways
may run at the same time: they answer with the old totals until the new ones are
complete. With the embedded database, stop the gateway first. You can interrupt
it: a running gateway finishes the rebuild.`

/**
 * `purser analytics rebuild`: recalculates the spend totals of an organization. Like init it opens
 * the database itself.
 */
export function analytics(group: Command): void {
  const command = group
    .command('rebuild')
    .description('rebuild the spend totals of an organization from its transactions')
    .option(
      '--org <organization>',
      'id of the organization, such as org_…; optional if there is only one',
    )
    .option('--json', 'print only JSON: {"organizationId": …, "counted": …}')
    .addHelpText('after', NOTES)
    .action((options: RebuildOptions) => rebuild(options))
  opensDatabase(command, 'purser analytics rebuild')
}

async function rebuild({ org, json }: RebuildOptions): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { openExistingStorage, readConfig, rebuildAnalytics, toOrganizationId } = await loadServer()
  if (org !== undefined) toOrganizationId(org)
  const storage = await openExistingStorage(readConfig(process.env), toStandardError)
  let toldAt = performance.now()
  try {
    const { organizationId, counted } = await rebuildAnalytics(storage, org, (progress) => {
      if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
      toldAt = performance.now()
      const upTo = progress.upTo === null ? '' : `, up to ${progress.upTo}`
      const days = `days left: ${progress.daysLeft}`
      process.stderr.write(`${countOf(progress.counted, 'transaction')} counted${upTo}; ${days}\n`)
    })
    if (json) return printJson({ organizationId, counted })
    const what = countOf(counted, 'transaction')
    process.stdout.write(`Rebuilt the totals of ${organizationId} from ${what}.\n`)
  } finally {
    await storage.db.close()
  }
}
