import { once } from 'node:events'
import type { Transaction } from '@purser/sdk'
import type { Command } from 'commander'
import { CURSOR_OPTION, LIMIT_OPTION, parseAmount } from '../api/arguments.ts'
import {
  type ChangeOptions,
  callOptions,
  type Gateway,
  type GatewayOptions,
  onGateway,
  withChange,
  withGateway,
} from '../api/gateway-command.ts'
import { createStopSignal } from '../api/stop-signal.ts'
import { tellPage } from '../api/tell-page.ts'
import { toDecisionLines } from '../decisions/show.ts'
import { toJson } from '../output/plain.ts'
import { print, printJson } from '../output/print.ts'
import { toTable } from '../output/table.ts'
import { type FilterOptions, toQuery, withFilters } from '../transactions/filters.ts'
import { toTransactionPage, transactionColumns } from '../transactions/show.ts'

interface ListOptions extends FilterOptions {
  readonly limit: number
  readonly cursor?: string
}

interface AmountOptions extends ChangeOptions {
  readonly amount?: number
  readonly proof?: string
}

const READ = 'transactions:read'
const WRITE = 'transactions:write'

/** `purser transactions …`: lists, explains, settles, voids, refunds and exports transactions. */
export function transactions(group: Command): void {
  withFilters(
    withGateway(group.command('list'), {
      scope: READ,
      example: 'purser transactions list --decision rejected --from 2026-11-01',
    }),
  )
    .description('list transactions, newest first')
    .option(...LIMIT_OPTION)
    .option(...CURSOR_OPTION)
    .action(onGateway(list))
  withGateway(group.command('show <id>'), {
    scope: READ,
    example: 'purser transactions show txn_…',
  })
    .description('show a transaction')
    .action(
      onGateway(async ({ purser }, id: string, options: GatewayOptions) =>
        show(options, await purser.transactions.get(id)),
      ),
    )
  withGateway(group.command('explain <id>'), {
    scope: READ,
    example: 'purser transactions explain txn_…',
  })
    .description('show why a spend was approved or rejected, rule by rule')
    .action(
      onGateway(async ({ purser }, id: string, options: GatewayOptions) => {
        const transaction = await purser.transactions.get(id)
        if (options.json) printJson(transaction)
        else print(toDecisionLines(transaction))
      }),
    )
  addChanges(group)
  withFilters(
    withGateway(group.command('export'), {
      scope: READ,
      example: 'purser transactions export --from 2026-11-01 > november.ndjson',
      notes: 'Writes one JSON object per line. It resumes by itself after a lost connection.',
    }),
  )
    .description('write all transactions that the filters find, newest first')
    .action(onGateway(exportAll))
}

function addChanges(group: Command): void {
  withChange(group.command('settle <id>'), {
    scope: WRITE,
    example: 'purser transactions settle txn_… --amount 9.5',
  })
    .description('settle a hold: the money was paid')
    .option('--amount <amount>', 'paid amount; default: the held amount', parseAmount)
    .option('--proof <text>', 'closes a hold whose outcome the gateway cannot find out')
    .action(
      onGateway(async ({ purser }, id: string, options: AmountOptions) => {
        const { amount, proof } = options
        const input = { amount, proof }
        show(options, await purser.transactions.settle(id, input, callOptions(options)))
      }),
    )
  withChange(group.command('void <id>'), {
    scope: WRITE,
    example: 'purser transactions void txn_…',
  })
    .description('void a hold: no money was paid, and the budget is released')
    .option('--reason <text>', 'closes a hold whose outcome the gateway cannot find out')
    .action(
      onGateway(
        async ({ purser }, id: string, options: ChangeOptions & { readonly reason?: string }) => {
          const { reason } = options
          show(options, await purser.transactions.void(id, { reason }, callOptions(options)))
        },
      ),
    )
  withChange(group.command('refund <id>'), {
    scope: WRITE,
    example: 'purser transactions refund txn_… --amount 2',
  })
    .description('record a refund of the vendor, which returns to the budget')
    .option('--amount <amount>', 'refunded amount; default: everything', parseAmount)
    .action(
      onGateway(async ({ purser }, id: string, options: AmountOptions) => {
        const { amount } = options
        show(options, await purser.transactions.refund(id, { amount }, callOptions(options)))
      }),
    )
}

async function list(gateway: Gateway, options: ListOptions): Promise<void> {
  const { limit, cursor } = options
  const query = await toQuery(gateway, options)
  // The details of the decisions are most of the data, and the table does not show them.
  const view = options.json ? undefined : 'summary'
  const answer = await gateway.purser.transactions.list({ ...query, limit, cursor, view }).page()
  if (options.json) return printJson(answer)
  if (answer.data.length > 0) print(toTable(answer.data, transactionColumns))
  tellPage('transactions', answer)
}

function show({ json }: GatewayOptions, transaction: Transaction): void {
  if (json) printJson(transaction)
  else print(toTransactionPage(transaction))
}

async function exportAll(gateway: Gateway, options: FilterOptions): Promise<void> {
  const query = await toQuery(gateway, options)
  const { signal, end } = createStopSignal()
  try {
    for await (const row of gateway.purser.transactions.export(query, { signal })) {
      // Wait for a slow reader, such as a disk, instead of keeping the rows in memory.
      if (process.stdout.write(`${toJson(row)}\n`)) continue
      await once(process.stdout, 'drain', { signal }).catch(() => undefined)
    }
  } finally {
    end()
  }
  if (signal.aborted) throw new Error('Interrupted: the export is not complete.')
}
