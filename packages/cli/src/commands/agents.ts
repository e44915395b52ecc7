import type { Agent } from '@purser/sdk'
import { type Command, Option } from 'commander'
import { CURSOR_OPTION, LIMIT_OPTION } from '../api/arguments.ts'
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
import { colorOf } from '../output/color.ts'
import { toMoneyText } from '../output/money.ts'
import { toPage } from '../output/page.ts'
import { print, printJson } from '../output/print.ts'
import { type Column, SHORT, toTable } from '../output/table.ts'

interface ListOptions extends GatewayOptions {
  readonly limit: number
  readonly cursor?: string
  readonly status?: 'active' | 'paused'
  readonly tag?: string
  readonly search?: string
}

interface CreateOptions extends ChangeOptions {
  readonly name: string
  readonly description?: string
  readonly externalId?: string
  readonly tags?: readonly string[]
}

interface StatusOptions extends ChangeOptions {
  readonly reason?: string
}

/** `purser agents …`: lists, creates, pauses and resumes agents. */
export function agents(group: Command): void {
  withGateway(group.command('list'), {
    scope: 'agents:read',
    example: 'purser agents list --status paused',
  })
    .description('list the agents, newest first')
    .addOption(new Option('--status <status>', 'status').choices(['active', 'paused']))
    .option('--tag <tag>', 'only agents with this tag')
    .option('--search <text>', 'only agents whose name or externalId contains this text')
    .option(...LIMIT_OPTION)
    .option(...CURSOR_OPTION)
    .action(onGateway(list))
  withGateway(group.command('show <agent>'), {
    scope: 'agents:read',
    example: 'purser agents show buyer-1',
  })
    .description('show an agent, by its id, externalId or name, and its mandate')
    .action(
      onGateway(async (gateway, named: string, options: GatewayOptions) => {
        const id = (await findAgentId(gateway, named)) ?? named
        show(options, await gateway.purser.agents.get(id, { include: 'mandate' }))
      }),
    )
  withChange(group.command('create'), {
    scope: 'agents:write',
    example: 'purser agents create --name "Buyer" --external-id buyer-1 --tags prod eu',
  })
    .description('create an agent')
    .requiredOption('--name <name>', 'name of the agent')
    .option('--description <text>', 'the purpose of the agent')
    .option('--external-id <id>', 'your own id for the agent')
    .option('--tags <tags...>', 'tags of the agent')
    .action(
      onGateway(async ({ purser }, options: CreateOptions) => {
        const { name, description, externalId, tags } = options
        const input = { name, description, externalId, tags }
        show(options, await purser.agents.create(input, callOptions(options)))
      }),
    )
  addStatusCommand(group, 'pause', 'paused', 'pause an agent: the gateway rejects its spends')
  addStatusCommand(group, 'resume', 'active', 'let a paused agent spend again')
}

function addStatusCommand(
  group: Command,
  name: string,
  status: 'active' | 'paused',
  description: string,
): void {
  withChange(group.command(`${name} <agent>`), {
    scope: 'agents:write',
    example: `purser agents ${name} buyer-1 --reason "Under review"`,
  })
    .description(description)
    .option('--reason <text>', 'the reason; the change record keeps it')
    .action(
      onGateway(async (gateway, named: string, options: StatusOptions) => {
        const id = (await findAgentId(gateway, named)) ?? named
        const change = { status, reason: options.reason }
        show(options, await gateway.purser.agents.update(id, change, callOptions(options)))
      }),
    )
}

const columns: readonly Column<Agent>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'STATUS', text: ({ status }) => status, color: ({ status }) => colorOf(status) },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: 16 },
  { title: 'EXTERNAL ID', text: ({ externalId }) => externalId, shrinksTo: SHORT, spare: 2 },
  { title: 'LAST SEEN', text: ({ lastSeenAt }) => lastSeenAt ?? 'never', spare: 1 },
]

async function list({ purser }: Gateway, options: ListOptions): Promise<void> {
  const { limit, cursor, status, tag, search } = options
  const answer = await purser.agents.list({ limit, cursor, status, tag, q: search }).page()
  if (options.json) return printJson(answer)
  if (answer.data.length > 0) print(toTable(answer.data, columns))
  tellPage('agents', answer)
}

function show({ json }: GatewayOptions, agent: Agent): void {
  if (json) printJson(agent)
  else print(toAgentPage(agent))
}

function toAgentPage(agent: Agent): string[] {
  const { mandate } = agent
  return toPage([
    ['id', agent.id],
    ['name', agent.name],
    ['status', agent.status],
    ['description', agent.description],
    ['external id', agent.externalId],
    ['tags', agent.tags.join(', ')],
    ['created', agent.createdAt],
    ['last seen', agent.lastSeenAt],
    ['mandate', mandate === undefined ? null : (mandate?.id ?? 'none')],
    ['budget', mandate ? toMoneyText(mandate.budgetTotal, mandate.currency) : null],
    ['remaining', mandate ? toMoneyText(mandate.remainingBudget, mandate.currency) : null],
  ])
}
