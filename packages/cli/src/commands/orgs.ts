import { Argument, type Command } from 'commander'
import { loadServer } from '../packages.ts'
import { toPrintable } from './name.ts'
import { opensDatabase } from './opens-database.ts'
import { toStandardError } from './warnings.ts'

export const PLAN_NAMES = ['free', 'pro', 'scale', 'self_hosted'] as const
type PlanName = (typeof PLAN_NAMES)[number]

/**
 * `purser orgs list` and `purser orgs plan <organization> <plan>`: only the operator may use them.
 * Like init they open the database themselves. Running gateways apply a new plan within a second;
 * no gateway may use the embedded database at the same time.
 */
export function orgs(command: Command): void {
  opensDatabase(command.command('list'), 'purser orgs list')
    .description('list the organizations, oldest first')
    .option('--json', 'print only a JSON array')
    .action(({ json }: { readonly json?: true }) => list(json === true))
  opensDatabase(command.command('plan'), 'purser orgs plan org_… pro')
    .description('change the plan of an organization')
    .argument('<organization>', 'id of the organization, such as org_…')
    .addArgument(new Argument('<plan>', 'the plan').choices(PLAN_NAMES))
    .option('--json', 'print only JSON: {"organizationId": …, "plan": …}')
    .action((organizationId: string, plan: PlanName, { json }: { readonly json?: true }) =>
      changeTo(organizationId, plan, json === true),
    )
}

async function list(isJson: boolean): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { openExistingStorage, readConfig, readOrganizations } = await loadServer()
  const storage = await openExistingStorage(readConfig(process.env), toStandardError)
  try {
    const all = await readOrganizations(storage)
    const lines = all.map(({ organizationId, createdAt, plan, name }) =>
      [organizationId, createdAt, plan.padEnd(PLAN_WIDTH), toPrintable(name)].join('  '),
    )
    const text = lines.length === 0 ? 'No organizations.' : lines.join('\n')
    process.stdout.write(isJson ? `${JSON.stringify(all)}\n` : `${text}\n`)
  } finally {
    await storage.db.close()
  }
}

const PLAN_WIDTH = Math.max(...PLAN_NAMES.map((plan) => plan.length))

async function changeTo(organizationId: string, plan: PlanName, isJson: boolean): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { changePlan, openExistingStorage, readConfig, toOrganizationId } = await loadServer()
  toOrganizationId(organizationId)
  const storage = await openExistingStorage(readConfig(process.env), toStandardError)
  try {
    await changePlan(storage, organizationId, plan)
  } finally {
    await storage.db.close()
  }
  const json = JSON.stringify({ organizationId, plan })
  process.stdout.write(isJson ? `${json}\n` : `${organizationId} is on the plan ${plan}.\n`)
}
