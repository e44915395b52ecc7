import { type Command, InvalidArgumentError, Option } from 'commander'
import { callApi, type Gateway } from '../approvals/call-api.ts'
import { type ShownApproval, toLines, toPage } from '../approvals/show.ts'
import { toGatewayUrl } from '../listen/target-url.ts'

interface ApiOptions {
  readonly url: string
  readonly apiKey?: string
  readonly json?: true
}

interface ListOptions extends ApiOptions {
  readonly status: string
}

interface DecideOptions extends ApiOptions {
  readonly comment?: string
  readonly maxAmount?: number
  readonly also?: readonly string[]
}

const DEFAULT_GATEWAY = 'http://127.0.0.1:3000'
const STATUSES = ['pending', 'approved', 'rejected', 'expired', 'used', 'all']
const LISTED_MAX = 200

/** `purser approvals …`: lists approval requests and decides them. */
export function approvals(program: Command): void {
  const group = program.command('approvals').description('list and decide approval requests')
  withApi(group.command('list'), 'approvals:read')
    .description(`list approval requests, newest first, at most ${LISTED_MAX}`)
    .addOption(
      new Option('--status <status>', 'status of the requests')
        .choices(STATUSES)
        .default('pending'),
    )
    .action((options: ListOptions, command: Command) => list(options, command))
  withApi(group.command('show <id>'), 'approvals:read')
    .description('show an approval request with all details')
    .action(async (id: string, options: ApiOptions, command: Command) => {
      print(options, await callApi(gatewayOf(options, command), at(id)))
    })
  withDecision(group.command('approve <id>'))
    .description('approve a request: the spend may pass once')
    .option(
      '--max-amount <amount>',
      'approve at most this amount, if less than requested',
      parseAmount,
    )
    .action((id: string, options: DecideOptions, command: Command) =>
      decide('approve', id, options, command),
    )
  withDecision(group.command('reject <id>'))
    .description('reject a request')
    .action((id: string, options: DecideOptions, command: Command) =>
      decide('reject', id, options, command),
    )
}

function withApi(command: Command, scope: string): Command {
  return command
    .addOption(
      new Option('--url <address>', 'URL of the gateway')
        .env('PURSER_URL')
        .argParser(parseUrl)
        .default(DEFAULT_GATEWAY),
    )
    .addOption(
      new Option('--api-key <key>', `API key with the scope ${scope}`).env('PURSER_API_KEY'),
    )
    .option('--json', 'print only the JSON answer of the API')
}

function withDecision(command: Command): Command {
  return withApi(command, 'approvals:write')
    .option('--comment <text>', 'reason; visible to the agent')
    .option('--also <ids...>', 'up to 50 more requests to decide the same way')
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const status = options.status === 'all' ? '' : `&status=${options.status}`
  const answer = await callApi(
    gatewayOf(options, command),
    `/approvals?limit=${LISTED_MAX}${status}`,
  )
  if (options.json) return write(JSON.stringify(answer))
  // The gateway has validated this shape before it answered.
  const { data, total } = answer as { data: readonly ShownApproval[]; total: number }
  for (const line of toLines(data)) write(line)
  const hidden = total - data.length
  if (hidden > 0) process.stderr.write(`${hidden} older requests are not shown.\n`)
  if (data.length === 0) process.stderr.write(`${noneOf(options.status)}\n`)
}

function noneOf(status: string): string {
  if (status === 'all') return 'No approval requests.'
  return status === 'pending' ? 'No pending approval requests.' : `No ${status} approval requests.`
}

async function decide(
  decision: 'approve' | 'reject',
  id: string,
  options: DecideOptions,
  command: Command,
): Promise<void> {
  const { comment, maxAmount, also: alsoIds } = options
  const said = {
    decision,
    ...(comment !== undefined && { comment }),
    ...(maxAmount !== undefined && { maxAmount }),
    ...(alsoIds !== undefined && { alsoIds }),
  }
  const answer = await callApi(gatewayOf(options, command), `${at(id)}/decision`, said)
  print(options, answer)
  const { also } = answer as { also: readonly AlsoDecided[] }
  const decided = also.filter((other) => other.decided)
  if (!options.json) for (const other of decided) write(`Also ${other.status}: ${other.id}`)
  const failed = also.filter((other) => !other.decided)
  for (const other of failed) process.stderr.write(`${other.id}: ${other.message}\n`)
  if (failed.length > 0) {
    throw new Error(`${failed.length} of ${also.length} additional requests could not be decided.`)
  }
}

interface AlsoDecided {
  readonly id: string
  readonly decided: boolean
  readonly status: string | null
  readonly message: string | null
}

function print({ json }: ApiOptions, answer: unknown): void {
  write(json ? JSON.stringify(answer) : toPage(answer as ShownApproval))
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

function at(id: string): string {
  return `/approvals/${encodeURIComponent(id)}`
}

function gatewayOf({ url, apiKey = '' }: ApiOptions, command: Command): Gateway {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { url, apiKey }
  return command.error('error: no API key: set PURSER_API_KEY or --api-key, such as psr_test_…')
}

function parseUrl(text: string): string {
  const url = toGatewayUrl(text === '' ? DEFAULT_GATEWAY : text)
  if (url !== undefined) return url
  throw new InvalidArgumentError('Expected an http(s) URL such as http://127.0.0.1:3000.')
}

/**
 * Accepts only plain decimals. Other notations of numbers, such as 1e3, are more likely a typing
 * mistake.
 */
function parseAmount(text: string): number {
  const amount = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (amount > 0) return amount
  throw new InvalidArgumentError('Expected an amount in units of the currency, such as 12.5.')
}
