import { Argument, type Command } from 'commander'
import { toStandardError } from './warnings.ts'

export const PLAN_NAMES = ['free', 'pro', 'scale', 'self_hosted'] as const
type PlanName = (typeof PLAN_NAMES)[number]

/**
 * `purser orgs plan <organization> <plan>`: what only the operator may change. Like init it opens the
 * database itself. Running gateways follow within a second; the embedded database has to be free.
 */
export function orgs(program: Command): void {
  program
    .command('orgs')
    .description("change what only the installation's operator may change")
    .command('plan')
    .description('move an organization to another plan')
    .argument('<organization>', 'its id, such as org_…')
    .addArgument(new Argument('<plan>', 'the plan').choices(PLAN_NAMES))
    .action((organizationId: string, plan: PlanName) => changeTo(organizationId, plan))
}

async function changeTo(organizationId: string, plan: PlanName): Promise<void> {
  // Imported only here: the help, and mistakes in the command line, need none of the server.
  const { changePlan, openStorage, readConfig } = await import('@purser/server')
  const storage = await openStorage(readConfig(process.env), toStandardError)
  try {
    await changePlan(storage, organizationId, plan)
  } finally {
    await storage.db.close()
  }
  process.stdout.write(`${organizationId} is on the plan ${plan}.\n`)
}
