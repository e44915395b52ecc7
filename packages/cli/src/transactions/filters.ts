import type { ExportTransactionsQuery } from '@purser/sdk'
import { type Command, Option } from 'commander'
import { parseAmount } from '../api/arguments.ts'
import { findAgentId } from '../api/find-agent.ts'
import type { Gateway, GatewayOptions } from '../api/gateway-command.ts'

/** The options that choose transactions. */
export interface FilterOptions extends GatewayOptions {
  readonly agent?: string
  readonly mandate?: string
  readonly decision?: string
  readonly status?: string
  readonly path?: string
  readonly vendor?: string
  readonly category?: string
  readonly code?: string
  readonly reference?: string
  readonly search?: string
  readonly flagged?: true
  readonly from?: string
  readonly to?: string
  readonly minAmount?: number
  readonly maxAmount?: number
}

/** Adds the options that choose transactions. */
export function withFilters(command: Command): Command {
  return command
    .option('--agent <agent>', 'only of this agent, by its id, externalId or name')
    .option('--mandate <id>', 'only under this mandate')
    .addOption(new Option('--decision <decision>', 'decision').choices(['approved', 'rejected']))
    .option('--status <status>', 'status, such as held; several are separated by commas')
    .option('--path <path>', 'payment path: evaluate, x402, card or acp')
    .option('--vendor <host>', 'host name of the vendor')
    .option('--category <category>', 'category of the spend')
    .option('--code <code>', 'decision code, such as budget_exceeded')
    .option('--reference <text>', 'exactly this reference')
    .option('--search <text>', 'vendor or reference contains this text')
    .option('--flagged', 'only with flags')
    .option('--from <time>', 'at or after this time, such as 2026-11-01 or 2026-11-01T09:00:00Z')
    .option('--to <time>', 'before this time')
    .option('--min-amount <amount>', 'of at least this amount', parseAmount)
    .option('--max-amount <amount>', 'of at most this amount', parseAmount)
}

/** Returns the filters as a query of the API. */
export async function toQuery(
  gateway: Gateway,
  options: FilterOptions,
): Promise<ExportTransactionsQuery> {
  const { mandate: mandateId, search: q, decision, status, path, vendor, category } = options
  const { code, reference, flagged, from, to, minAmount, maxAmount } = options
  const agentId = await findAgentId(gateway, options.agent)
  return {
    ...{ agentId, mandateId, decision, status, path, vendor, category, code, reference, q },
    ...{ flagged, from, to, minAmount, maxAmount },
  }
}
