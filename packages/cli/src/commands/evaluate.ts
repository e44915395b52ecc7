import type { Evaluation, Simulation } from '@purser/sdk'
import type { Command } from 'commander'
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
import { print, printJson } from '../output/print.ts'

interface EvaluateOptions extends ChangeOptions {
  readonly agent?: string
  readonly amount: number
  readonly vendor: string
  readonly category: string
  readonly currency?: string
  readonly reference?: string
  readonly reason?: string
  readonly hold?: string
  readonly approval?: string
  readonly dryRun?: true
}

const NOTES = `The decision is real: an approval takes the amount from the budget. --dry-run
only shows the decision that the spend would get, and records nothing.
Exit codes: 0 approved, 3 rejected, 4 unknown outcome.`

/** `purser evaluate`: asks the gateway for a decision on a spend. */
export function evaluate(command: Command): void {
  withChange(command, {
    scope: 'gateway:write, or gateway:read with --dry-run',
    example: 'purser evaluate --agent buyer-1 --amount 12.5 --vendor api.openai.com --category llm',
    notes: NOTES,
  })
    .option(...AGENT_OPTION)
    .requiredOption('--amount <amount>', 'amount in units of the currency', parseAmount)
    .requiredOption('--vendor <host>', 'host name of the vendor, such as api.openai.com')
    .requiredOption('--category <category>', 'category of the purchase, such as llm')
    .option('--currency <code>', 'currency; default: that of the mandate')
    .option('--reference <text>', 'your own reference, such as an order number')
    .option('--reason <text>', 'why the agent spends')
    .option('--hold <duration>', 'place a hold instead of settling at once, such as 15m')
    .option('--approval <id>', 'approval that lets this spend pass')
    .option('--dry-run', 'only simulate the decision')
    .action(onGateway(run))
}

async function run(gateway: Gateway, options: EvaluateOptions): Promise<void> {
  const answer = await decide(gateway, options)
  if (options.json) printJson(answer)
  else print(toDecisionLines(answer))
  if (answer.decision === 'rejected') exitWith(EXIT.rejected)
}

async function decide(
  gateway: Gateway,
  options: EvaluateOptions,
): Promise<Evaluation | Simulation> {
  const { purser, command } = gateway
  const { amount, vendor, category, currency, reference, reason, hold, approval } = options
  if (options.dryRun && approval !== undefined) {
    return command.error('error: --dry-run cannot present an approval: leave out --approval')
  }
  const agentId = await findAgentId(gateway, options.agent)
  const spend = {
    ...{ agentId, amount, vendor, category, currency, reference, reason },
    ...(hold !== undefined && { hold: { expiresIn: hold } }),
  }
  if (options.dryRun) return purser.gateway.simulate(spend, callOptions(options))
  return purser.gateway.evaluate({ ...spend, approvalId: approval }, callOptions(options))
}
