import type { PurserError, StreamedEvent } from '@purser/sdk'
import type { Command } from 'commander'
import { parseAmount, wholeNumber } from '../api/arguments.ts'
import { findAgentId } from '../api/find-agent.ts'
import {
  type Gateway,
  type GatewayOptions,
  onGateway,
  withGateway,
} from '../api/gateway-command.ts'
import { createStopSignal } from '../api/stop-signal.ts'
import { describeFailure } from '../listen/network-failure.ts'
import { colorOf, paint } from '../output/color.ts'
import { toMoneyText } from '../output/money.ts'
import { plain } from '../output/plain.ts'
import { print, printJson, tell } from '../output/print.ts'
import { pad, widthOf } from '../output/width.ts'

interface TailOptions extends GatewayOptions {
  readonly approved?: true
  readonly rejected?: true
  readonly agent?: string
  readonly vendor?: string
  readonly category?: string
  readonly path?: string
  readonly minAmount?: number
  readonly after?: string
  readonly count?: number
}

type DecisionEvent = Extract<
  StreamedEvent,
  { readonly event: 'transaction.approved' | 'transaction.rejected' }
>

const NOTES = `Prints one line for each decision: its time, the decision, the amount, the
vendor, the category, the transaction, and the reason of a rejection. With
--json, one event per line. Ctrl-C ends it. After a lost connection it goes on
with the next event.`

/** `purser tail`: follows the decisions of the organization. */
export function tail(command: Command): void {
  withGateway(command, {
    scope: 'webhooks:read',
    example: 'purser tail --rejected --min-amount 100',
    notes: NOTES,
  })
    .option('--approved', 'only approved spends')
    .option('--rejected', 'only rejected spends')
    .option('--agent <agent>', 'only of this agent, by its id, externalId or name')
    .option('--vendor <host>', 'only at this vendor')
    .option('--category <category>', 'only of this category')
    .option('--path <path>', 'only of this payment path: evaluate, x402, card or acp')
    .option('--min-amount <amount>', 'only of at least this amount', parseAmount)
    .option('--after <event>', 'begin after this event, or with the oldest one: "oldest"')
    .option('--count <number>', 'end after this many decisions', wholeNumber(1, 1_000_000))
    .action(onGateway(run))
}

async function run(gateway: Gateway, options: TailOptions): Promise<void> {
  const agentId = await findAgentId(gateway, options.agent)
  const { signal, end } = createStopSignal()
  const toLine = createLines()
  let printed = 0
  try {
    const from = { after: options.after, ...createReports(gateway.url) }
    for await (const event of gateway.purser.events.stream(from, { signal })) {
      if (!isDecision(event) || !isWanted(event, options, agentId)) continue
      if (options.json) printJson(event)
      else print(toLine(event))
      printed += 1
      if (printed === options.count) break
    }
  } finally {
    end()
  }
}

function isDecision(event: StreamedEvent): event is DecisionEvent {
  return event.event === 'transaction.approved' || event.event === 'transaction.rejected'
}

function isWanted({ data }: DecisionEvent, wanted: TailOptions, agentId?: string): boolean {
  const { approved, rejected, vendor, category, path, minAmount } = wanted
  const decisions =
    approved === rejected ? ['approved', 'rejected'] : [approved ? 'approved' : 'rejected']
  const pairs = [
    [agentId, data.agentId],
    [vendor, data.vendor],
    [category, data.category],
    [path, data.path],
  ]
  return (
    decisions.includes(data.decision) &&
    pairs.every(([want, has]) => want === undefined || want === has) &&
    data.amount >= (minAmount ?? 0)
  )
}

/** The usual widths of the amount, the vendor and the category. */
const WIDTHS = [12, 18, 10] as const
const WIDTH_MAX = 40

/** Aligns the columns. A later line cannot change an earlier one, so a wider text widens its column. */
function createLines(): (event: DecisionEvent) => string {
  const widths: number[] = [...WIDTHS]
  return ({ timestamp, data }) => {
    const { decision, amount, currency, vendor, category, transactionId } = data
    const why =
      data.decision === 'rejected' ? `${data.code}: ${data.reason ?? ''}` : data.flags.join(', ')
    const aligned = [toMoneyText(amount, currency), vendor, category ?? '-'].map((text, index) => {
      const shown = plain(text.trim())
      const width = Math.max(widths[index] ?? 0, Math.min(widthOf(shown), WIDTH_MAX))
      widths[index] = width
      return pad(shown, width, index === 0 ? 'right' : 'left')
    })
    const parts = [timestamp, paint(decision, colorOf(decision)), ...aligned, transactionId]
    return [...parts, plain(why.trim())].join('  ').trimEnd()
  }
}

/** Says why lines may be missing for a while. */
function createReports(url: string) {
  let isConnected = false
  return {
    onConnected(): void {
      tell(isConnected ? 'Reconnected.' : `Following ${url}`)
      isConnected = true
    },
    onDisconnected(error: PurserError | null, retryInMs: number): void {
      const cause =
        error?.cause === undefined
          ? (error?.detail ?? 'the stream ended')
          : describeFailure(error.cause)
      tell(
        `No events from ${url}: ${cause}. Retrying in ${Number((retryInMs / 1_000).toFixed(1))} s.`,
      )
    },
  }
}
