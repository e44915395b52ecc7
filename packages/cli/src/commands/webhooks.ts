import type { EventKind, WebhookDelivery, WebhookDeliveryDetail } from '@purser/sdk'
import { Argument, type Command, Option } from 'commander'
import { CURSOR_OPTION, LIMIT_OPTION, wholeNumber } from '../api/arguments.ts'
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
import { EVENT_KINDS } from '../listen/event-kinds.ts'
import { colorOf } from '../output/color.ts'
import { print, printJson, tell } from '../output/print.ts'
import { type Column, SHORT, toTable } from '../output/table.ts'
import { toDeliveryPage, toTaskPage } from '../webhooks/show.ts'

interface ListOptions extends GatewayOptions {
  readonly limit: number
  readonly cursor?: string
  readonly status?: WebhookDelivery['status']
  readonly event?: EventKind
  readonly transaction?: string
  readonly endpoint?: string
}

interface ResendOptions extends ChangeOptions {
  readonly from?: string
  readonly to?: string
  readonly stop?: true
}

interface TestOptions extends ChangeOptions {
  readonly endpoint?: string
}

interface RotateOptions extends ChangeOptions {
  readonly endpoint?: string
  readonly gracePeriod?: number
}

/** `purser webhooks …`: shows deliveries, sends them again, and rotates the secret. */
export function webhooks(group: Command): void {
  withGateway(group.command('deliveries [id]'), {
    scope: 'webhooks:read',
    example: 'purser webhooks deliveries --status failed',
  })
    .alias('list')
    .description('list deliveries, newest first, or show one with its attempts')
    .addOption(
      new Option('--status <status>', 'status of the deliveries').choices([
        ...['pending', 'succeeded', 'failed', 'canceled'],
      ]),
    )
    .addOption(new Option('--event <kind>', 'kind of the event').choices(EVENT_KINDS))
    .option('--transaction <id>', 'only events of this transaction')
    .option('--endpoint <id>', 'only deliveries to this endpoint')
    .option(...LIMIT_OPTION)
    .option(...CURSOR_OPTION)
    .action(onGateway(deliveries))
  withChange(group.command('resend <id>'), {
    scope: 'webhooks:write',
    example: 'purser webhooks resend failed --from 2026-11-16T02:00:00Z',
    notes: 'The id "failed" sends all failed deliveries again, in the background.',
  })
    .description('send a delivery again, or all failed ones')
    .option('--from <time>', 'with "failed": only deliveries of events at or after this time')
    .option('--to <time>', 'with "failed": only deliveries of events before this time')
    .option('--stop', 'with "failed": stop the task that is running')
    .action(onGateway(resend))
  withChange(group.command('test').addArgument(kindArgument()), {
    scope: 'webhooks:write',
    example: 'purser webhooks test transaction.rejected',
  })
    .description('send a test event to a webhook endpoint')
    .option('--endpoint <id>', 'the endpoint (default: the first one)')
    .action(
      onGateway(async ({ purser }, event: EventKind, options: TestOptions) => {
        const { endpoint: endpointId } = options
        const answer = await purser.webhooks.test({ event, endpointId }, callOptions(options))
        if (options.json) printJson(answer)
        else print(toDeliveryPage(answer))
      }),
    )
  withChange(group.command('rotate'), {
    scope: 'organization:write',
    example: 'purser webhooks rotate --grace-period 3600 > new-secret.txt',
    notes: 'Standard output has only the new secret. The gateway never shows it again.',
  })
    .description('rotate a webhook secret and print the new one (shown once)')
    .option('--endpoint <id>', 'the endpoint (default: the first one)')
    .option(
      '--grace-period <seconds>',
      'how long the old secret also signs',
      wholeNumber(0, 999_999_999),
    )
    .action(onGateway(rotate))
}

function kindArgument(): Argument {
  return new Argument('[event]', 'kind of the event')
    .choices(EVENT_KINDS)
    .default('transaction.approved')
}

const columns: readonly Column<WebhookDelivery>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'STATUS', text: ({ status }) => status, color: ({ status }) => colorOf(status) },
  { title: 'EVENT', text: ({ event }) => event },
  { title: 'TRIES', text: ({ attempts }) => attempts, align: 'right' },
  { title: 'HTTP', text: ({ lastStatusCode }) => lastStatusCode, align: 'right', spare: 3 },
  { title: 'CREATED', text: ({ createdAt }) => createdAt, spare: 1 },
  { title: 'ERROR', text: ({ lastError }) => lastError, shrinksTo: SHORT, spare: 2 },
]

/** Organizations with one endpoint need no column for it. */
function columnsOf(deliveries: readonly WebhookDelivery[]): readonly Column<WebhookDelivery>[] {
  const [first] = deliveries
  const isOne = deliveries.every(({ endpointId }) => endpointId === first?.endpointId)
  if (isOne) return columns
  return [
    ...columns.slice(0, 3),
    { title: 'ENDPOINT', text: ({ endpointId }) => endpointId, spare: 1 },
    ...columns.slice(3),
  ]
}

async function deliveries(
  { purser }: Gateway,
  id: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (id !== undefined) {
    const answer = await purser.webhooks.deliveries.get(id)
    if (options.json) printJson(answer)
    else print(isTask(answer) ? toTaskPage(answer) : toDeliveryPage(answer))
    return
  }
  const { limit, cursor, status, event, transaction: transactionId, endpoint } = options
  const query = { limit, cursor, status, event, transactionId, endpointId: endpoint } as const
  const answer = await purser.webhooks.deliveries.list(query).page()
  if (options.json) return printJson(answer)
  if (answer.data.length > 0) print(toTable(answer.data, columnsOf(answer.data)))
  tellPage('deliveries', answer)
}

function isTask<T extends object>(
  answer: T,
): answer is Exclude<T, WebhookDelivery | WebhookDeliveryDetail> {
  return !('event' in answer)
}

async function resend({ purser, command }: Gateway, id: string, options: ResendOptions) {
  const { from, to, stop } = options
  if (id !== 'failed' && (from ?? to ?? stop) !== undefined) {
    command.error('error: --from, --to and --stop need the id "failed"')
  }
  const answer = await purser.webhooks.deliveries.redeliver(
    id,
    { from, to, stop },
    callOptions(options),
  )
  if (options.json) return printJson(answer)
  print(isTask(answer) ? toTaskPage(answer) : toDeliveryPage(answer))
}

async function rotate({ purser }: Gateway, options: RotateOptions): Promise<void> {
  const { gracePeriod: gracePeriodSeconds, endpoint: endpointId } = options
  const answer = await purser.organization.rotateWebhookSecret(
    { gracePeriodSeconds, endpointId },
    callOptions(options),
  )
  if (options.json) return printJson(answer)
  print(answer.webhookSecret)
  const until = answer.previousSecretValidUntil
  tell(
    until === null
      ? 'Save the new secret now. The old one no longer signs.'
      : `Save the new secret now. The old one also signs until ${until}.`,
  )
}
