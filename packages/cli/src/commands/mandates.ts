import type { MandateStatus } from '@purser/sdk'
import { type Command, Option } from 'commander'
import { CURSOR_OPTION, LIMIT_OPTION, parseAmount, wholeNumber } from '../api/arguments.ts'
import { findAgentId } from '../api/find-agent.ts'
import {
  type ChangeOptions,
  callOptions,
  type Gateway,
  type GatewayOptions,
  onGateway,
  withChange,
  withGateway,
} from '../api/gateway-command.ts'
import { tellPage } from '../api/tell-page.ts'
import { mandateColumns, toMandatePage } from '../mandates/show.ts'
import { print, printJson } from '../output/print.ts'
import { toTable } from '../output/table.ts'
import { mandateFiles } from './mandate-files.ts'

interface ListOptions extends GatewayOptions {
  readonly limit: number
  readonly cursor?: string
  readonly agent?: string
  readonly status?: MandateStatus
}

interface VersionOptions extends ChangeOptions {
  readonly expectedVersion?: number
}

interface ActivateOptions extends VersionOptions {
  readonly replace?: true
}

interface RevokeOptions extends ChangeOptions {
  readonly reason?: string
}

const STATUSES = ['draft', 'active', 'expired', 'revoked'] as const
const VERSION_MAX = 999_999_999

/** `purser mandates …`: shows and changes mandates, also from files. */
export function mandates(group: Command): void {
  readers(group)
  mandateFiles(group)
  changers(group)
}

function readers(group: Command): void {
  const read = { scope: 'mandates:read' }
  withGateway(group.command('list'), { ...read, example: 'purser mandates list --status active' })
    .description('list the mandates, newest first')
    .option('--agent <agent>', 'only mandates of this agent: its id, externalId or name')
    .addOption(new Option('--status <status>', 'only mandates with this status').choices(STATUSES))
    .option(...LIMIT_OPTION)
    .option(...CURSOR_OPTION)
    .action(onGateway(list))
  withGateway(group.command('show <id>'), { ...read, example: 'purser mandates show mnd_…' })
    .description('show a mandate with its budget and rules')
    .action(
      onGateway(async ({ purser }, id: string, options: GatewayOptions) =>
        show(options, await purser.mandates.get(id)),
      ),
    )
}

function changers(group: Command): void {
  const change = { scope: 'mandates:write' }
  withVersion(
    withChange(group.command('activate <id>'), {
      ...change,
      example: 'purser mandates activate mnd_…',
    }),
  )
    .description('activate a draft, so that spends are judged by it')
    .option('--replace', "revoke the agent's active mandate and its children in the same step")
    .action(onGateway(activate))
  withChange(group.command('revoke <id>'), {
    ...change,
    example: 'purser mandates revoke mnd_… --reason "The project has ended"',
  })
    .description('revoke an active mandate and its children, for good')
    .option('--reason <text>', 'reason, for the audit log')
    .action(onGateway(revoke))
  withVersion(
    withChange(group.command('budget <id>'), {
      ...change,
      example: 'purser mandates budget mnd_… 250',
    }),
  )
    .description('change the budget of an active mandate')
    .argument('<budgetTotal>', 'the new budget, in units of the currency', parseAmount)
    .action(onGateway(setBudget))
  withGateway(group.command('delete <id>'), {
    ...change,
    example: 'purser mandates delete mnd_…',
  })
    .description('delete a draft, or archive a mandate that has ended')
    .action(onGateway(remove))
}

function withVersion(command: Command): Command {
  return command.option(
    '--expected-version <number>',
    'change it only if this is still its version',
    wholeNumber(1, VERSION_MAX),
  )
}

async function list(gateway: Gateway, options: ListOptions): Promise<void> {
  const { limit, cursor, agent, status, json } = options
  const agentId = await findAgentId(gateway, agent)
  const answer = await gateway.purser.mandates
    .list({
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(agentId !== undefined && { agentId }),
      ...(status !== undefined && { status }),
    })
    .page()
  if (json) return printJson(answer)
  if (answer.data.length > 0) print(toTable(answer.data, mandateColumns))
  tellPage('mandates', answer)
}

async function activate({ purser }: Gateway, id: string, options: ActivateOptions): Promise<void> {
  const { replace, expectedVersion } = options
  const input = { ...(replace && { replace }), ...(expectedVersion && { expectedVersion }) }
  show(options, await purser.mandates.activate(id, input, callOptions(options)))
}

async function revoke({ purser }: Gateway, id: string, options: RevokeOptions): Promise<void> {
  const { reason } = options
  const input = reason === undefined ? {} : { reason }
  show(options, await purser.mandates.revoke(id, input, callOptions(options)))
}

async function setBudget(
  { purser }: Gateway,
  id: string,
  budgetTotal: number,
  options: VersionOptions,
): Promise<void> {
  const { expectedVersion } = options
  const input = { budgetTotal, ...(expectedVersion && { expectedVersion }) }
  show(options, await purser.mandates.updateBudget(id, input, callOptions(options)))
}

async function remove({ purser }: Gateway, id: string, options: GatewayOptions): Promise<void> {
  const answer = await purser.mandates.delete(id)
  if (options.json) return printJson(answer)
  print(answer.deleted ? `Deleted the draft ${id}.` : `Archived ${id}.`)
}

function show({ json }: GatewayOptions, mandate: Parameters<typeof toMandatePage>[0]): void {
  if (json) printJson(mandate)
  else print(toMandatePage(mandate))
}
