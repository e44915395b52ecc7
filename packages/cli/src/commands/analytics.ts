import type { Command } from 'commander'
import { toStandardError } from './warnings.ts'

interface RebuildOptions {
  readonly org?: string
}

const PROGRESS_EVERY_MS = 1_000

const NOTES = `
The sums are counted from the record of transactions. With DATABASE_URL gateways
may run meanwhile: they answer with the old sums until the new ones are complete.
With the embedded database, stop the gateway first. It can be interrupted: a
gateway goes on.`

/**
 * `purser analytics rebuild`: recalculates the spend totals of an organization. Like init it opens
 * the database itself.
 */
export function analytics(program: Command): void {
  program
    .command('analytics')
    .description('look after the sums that analytics answers with')
    .command('rebuild')
    .description('count the sums of an organization anew from its transactions')
    .option('--org <organization>', 'its id, such as org_…; not needed where there is one only')
    .addHelpText('after', NOTES)
    .action((options: RebuildOptions) => rebuild(options))
}

async function rebuild({ org }: RebuildOptions): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { openStorage, readConfig, rebuildAnalytics, toOrganizationId } = await import(
    '@purser/server'
  )
  if (org !== undefined) toOrganizationId(org)
  const storage = await openStorage(readConfig(process.env), toStandardError)
  let toldAt = performance.now()
  try {
    const { organizationId, counted } = await rebuildAnalytics(storage, org, (progress) => {
      if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
      toldAt = performance.now()
      const upTo = progress.upTo === null ? '' : `, up to ${progress.upTo}`
      const days = `days to sum up: ${progress.daysLeft}`
      process.stderr.write(`${progress.counted} transactions counted${upTo}; ${days}\n`)
    })
    const what = counted === 1 ? '1 transaction' : `${counted} transactions`
    process.stdout.write(`The sums of ${organizationId} are counted anew from ${what}.\n`)
  } finally {
    await storage.db.close()
  }
}
