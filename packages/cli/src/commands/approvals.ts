import type { AlsoDecided, Approval, DecidedApproval } from '@purser/sdk'
import { type Command, Option } from 'commander'
import { PAGE_MAX, parseAmount } from '../api/arguments.ts'
import {
  type ChangeOptions,
  callOptions,
  type Gateway,
  type GatewayOptions,
  onGateway,
  withChange,
  withGateway,
} from '../api/gateway-command.ts'
import { approvalColumns, toApprovalPage } from '../approvals/show.ts'
import { print, printJson, tell } from '../output/print.ts'
import { toTable } from '../output/table.ts'

type Status = (typeof STATUSES)[number]

interface ListOptions extends GatewayOptions {
  readonly status: Status
}

interface DecideOptions extends ChangeOptions {
  readonly comment?: string
  readonly maxAmount?: number
  readonly also?: readonly string[]
}

const STATUSES = ['pending', 'approved', 'rejected', 'expired', 'used', 'all'] as const

/** `purser approvals …`: lists approval requests and decides them. */
export function approvals(group: Command): void {
  withGateway(group.command('list'), {
    scope: 'approvals:read',
    example: 'purser approvals list --status all',
  })
    .description(`list approval requests, newest first, at most ${PAGE_MAX}`)
    .addOption(
      new Option('--status <status>', 'status of the requests')
        .choices(STATUSES)
        .default('pending'),
    )
    .action(onGateway(list))
  withGateway(group.command('show <id>'), {
    scope: 'approvals:read',
    example: 'purser approvals show apr_…',
  })
    .description('show an approval request with all details')
    .action(
      onGateway(async ({ purser }, id: string, options: GatewayOptions) =>
        show(options, await purser.approvals.get(id)),
      ),
    )
  withDecision(group.command('approve <id>'), 'purser approvals approve apr_… --max-amount 20')
    .description('approve a request: the spend may pass once')
    .option(
      '--max-amount <amount>',
      'approve at most this amount, if less than requested',
      parseAmount,
    )
    .action(
      onGateway((gateway, id: string, options: DecideOptions) =>
        decide(gateway, 'approve', id, options),
      ),
    )
  withDecision(group.command('reject <id>'), 'purser approvals reject apr_… --comment "Too much"')
    .description('reject a request')
    .action(
      onGateway((gateway, id: string, options: DecideOptions) =>
        decide(gateway, 'reject', id, options),
      ),
    )
}

function withDecision(command: Command, example: string): Command {
  return withChange(command, { scope: 'approvals:write', example })
    .option('--comment <text>', 'reason; visible to the agent')
    .option('--also <ids...>', 'up to 50 more requests to decide the same way')
}

async function list({ purser }: Gateway, options: ListOptions): Promise<void> {
  const { status } = options
  const filter = status === 'all' ? {} : { status }
  const answer = await purser.approvals.list({ limit: PAGE_MAX, ...filter }).page()
  if (options.json) return printJson(answer)
  const { data, total } = answer
  if (data.length > 0) print(toTable(data, approvalColumns))
  else tell(noneOf(status))
  const hidden = (total ?? 0) - data.length
  if (hidden > 0) tell(`${hidden} older requests are not shown.`)
}

function noneOf(status: Status): string {
  return status === 'all' ? 'No approval requests.' : `No ${status} approval requests.`
}

async function decide(
  { purser }: Gateway,
  decision: 'approve' | 'reject',
  id: string,
  options: DecideOptions,
): Promise<void> {
  const { comment, maxAmount, also: alsoIds } = options
  const answer = await purser.approvals.decide(
    id,
    { decision, comment, maxAmount, alsoIds },
    callOptions(options),
  )
  show(options, answer)
  tellAlso(options, answer.also)
}

function tellAlso({ json }: GatewayOptions, also: readonly AlsoDecided[]): void {
  const failed = also.filter((other) => !other.decided)
  const decided = also.filter((other) => other.decided)
  if (!json) print(decided.map((other) => `Also ${other.status}: ${other.id}`))
  for (const other of failed) tell(`${other.id}: ${other.message}`)
  if (failed.length > 0) {
    throw new Error(`${failed.length} of ${also.length} additional requests could not be decided.`)
  }
}

function show({ json }: GatewayOptions, approval: Approval | DecidedApproval): void {
  if (json) printJson(approval)
  else print(toApprovalPage(approval))
}
