import type { X402Method, X402Payment } from '@purser/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseAmount } from '../api/arguments.ts'
import { AGENT_OPTION, findAgentId } from '../api/find-agent.ts'
import {
  type ChangeOptions,
  callOptions,
  type Gateway,
  onGateway,
  withChange,
} from '../api/gateway-command.ts'
import { toDecisionLines } from '../decisions/show.ts'
import { EXIT, exitWith } from '../exit.ts'
import { print, printJson, tell } from '../output/print.ts'
import { describeOutcome, writeResource } from '../pay/outcome.ts'

interface PayOptions extends ChangeOptions {
  readonly max: number
  readonly agent?: string
  readonly method: X402Method
  readonly header?: Readonly<Record<string, string>>
  readonly data?: string
  readonly category?: string
  readonly reference?: string
  readonly reason?: string
  readonly approval?: string
}

const METHODS: readonly X402Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const NOTES = `The gateway requests the URL, pays if the vendor asks for a payment by x402 and
the mandate allows it, and returns the resource: standard output has only its
body.
Exit codes: 0 the whole resource came, 1 it did not, 3 rejected, 4 unknown
outcome.

The history of the shell and the list of processes show arguments. So take the
secret value of a header from a variable: --header 'authorization: @env:TOKEN'
sends the value of TOKEN.`

/** `purser pay <url>`: fetches a resource, and pays for it by x402. */
export function pay(command: Command): void {
  withChange(command, {
    scope: 'gateway:write',
    example: 'purser pay https://api.example.com/report --max 0.05 --agent buyer-1',
    notes: NOTES,
  })
    .argument('<url>', 'URL of the resource')
    .requiredOption('--max <amount>', 'highest price to pay, in units of the currency', parseAmount)
    .option(...AGENT_OPTION)
    .addOption(new Option('--method <method>', 'HTTP method').choices(METHODS).default('GET'))
    .option('--header <name: value>', 'header of the request; can be repeated', addHeader)
    .option('--data <text>', 'body of the request')
    .option('--category <category>', 'category of the purchase')
    .option('--reference <text>', 'your own reference, such as an order number')
    .option('--reason <text>', 'why the agent spends')
    .option('--approval <id>', 'approval that lets this payment pass')
    .action(onGateway(run))
}

function addHeader(text: string, before: Readonly<Record<string, string>> = {}) {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('Expected a header such as "accept: text/csv".')
  }
  return { ...before, [name]: headerValue(value) }
}

const VARIABLE = /^@env:(.*)$/

/** Reads a value such as `@env:TOKEN` from the environment. */
function headerValue(text: string): string {
  const [, variable] = VARIABLE.exec(text) ?? []
  if (variable === undefined) return text
  const value = process.env[variable]
  if (value) return value
  throw new InvalidArgumentError(`The variable ${variable} is not set.`)
}

async function run(gateway: Gateway, url: string, options: PayOptions): Promise<void> {
  const { max: maxAmount, method, header: headers, data: body } = options
  const { category, reference, reason, approval: approvalId, json } = options
  const agentId = await findAgentId(gateway, options.agent)
  const answer = await gateway.purser.x402.pay(
    {
      ...{ agentId, url, method, maxAmount, category, reference, reason, approvalId },
      mode: 'fetch',
      ...((headers ?? body) !== undefined && { request: { headers, body } }),
    },
    callOptions(options),
  )
  if (json) printJson(answer)
  else show(answer)
  if (answer.decision === 'rejected') exitWith(EXIT.rejected)
  const { code } = describeOutcome(answer)
  if (code !== EXIT.success) exitWith(code)
}

function show(answer: X402Payment): void {
  if (answer.decision === 'rejected') {
    print(toDecisionLines(answer))
    return
  }
  writeResource(answer.resource)
  tell(describeOutcome(answer).text)
}
