import type { PurserError } from '@purser/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CredentialOptions, type Credentials, findCredentials } from '../api/credentials.ts'
import { endWith, PROFILE_OPTION, URL_OPTION, withExample } from '../api/gateway-command.ts'
import { refuseSecret } from '../api/removed-secret.ts'
import { createStopSignal } from '../api/stop-signal.ts'
import { createDeliveryLines, isDelivered } from '../listen/delivery-lines.ts'
import { EVENT_KINDS } from '../listen/event-kinds.ts'
import { postEvent } from '../listen/post-event.ts'
import { secretMistake } from '../listen/secret-mistake.ts'
import { toTargetUrl, withoutPassword } from '../listen/target-url.ts'
import { tell } from '../output/print.ts'

interface ListenOptions extends CredentialOptions {
  readonly forwardTo: URL
  readonly events?: readonly string[]
  readonly json?: true
}

const SECRET = 'PURSER_WEBHOOK_SECRET'

const NOTES = `
Posts each event once and in order, signed like a webhook. If the receiver fails
or does not answer within 5 s, listen prints that and does not retry the event.
The gateway needs no webhook URL for this. If the connection to the gateway
breaks, listen reconnects and continues after the last event.

PURSER_WEBHOOK_SECRET is the secret that signs the events: whsec_… Without it,
listen makes a new one and prints it first. With --json, that is the line
{"secret": …}, and each event is {"event": …, "attempt": …}. The API key needs
the scope webhooks:read.`

/**
 * `purser listen --forward-to <url>`: posts the organization's events to a receiver on this
 * machine.
 */
export function listen(command: Command): void {
  command
    .addOption(
      new Option('--forward-to <url>', 'receiver: a URL, localhost:4000/hook or only a port')
        .argParser(parseTarget)
        .makeOptionMandatory(),
    )
    .option(
      '--events <kinds>',
      `only these kinds, comma-separated: ${EVENT_KINDS.join(', ')}`,
      parseKinds,
    )
    .addHelpText('after', NOTES)
    .option(...URL_OPTION)
    .option(...PROFILE_OPTION)
    .option('--json', 'print one JSON object per event')
    .action(async (options: ListenOptions) => {
      const secret = process.env[SECRET] || undefined
      const mistake = secret === undefined ? undefined : secretMistake(secret)
      if (mistake !== undefined) command.error(`error: the secret in ${SECRET} ${mistake}`)
      const credentials = findCredentials(options, command)
      return run(options, secret, credentials).catch((error: unknown) =>
        end(error, credentials.url, command),
      )
    })
  refuseSecret(command, SECRET)
  withExample(command, 'purser listen --forward-to localhost:4000/hook')
}

function parseTarget(text: string): URL {
  const url = toTargetUrl(text)
  if (url) return url
  throw new InvalidArgumentError('Expected an http(s) URL, localhost:4000/hook or only a port.')
}

function parseKinds(text: string): readonly string[] {
  const kinds = text.split(',').map((kind) => kind.trim())
  if (kinds.every((kind) => EVENT_KINDS.includes(kind))) return kinds
  throw new InvalidArgumentError(`Expected kinds of: ${EVENT_KINDS.join(', ')}.`)
}

async function run(
  { forwardTo, events, json }: ListenOptions,
  secret: string | undefined,
  { url, apiKey }: Credentials,
): Promise<void> {
  // Import them only here: the help and argument errors do not need them.
  const { createClient } = await import('../api/create-client.ts')
  const { newWebhookSecret, signEvent } = await import('../listen/sign-event.ts')
  const { describeEnd } = await import('../listen/stream-problem.ts')
  const current = secret ?? newWebhookSecret()
  const lines = createDeliveryLines(json === true)
  if (secret === undefined) lines.printSecret(current)

  const stop = createStopSignal()
  const { signal } = stop
  const purser = createClient({ url, apiKey })
  const reports = createReports(url, forwardTo, describeEnd)
  const counts = { forwarded: 0, failed: 0 }
  try {
    for await (const event of purser.events.stream(reports, { signal })) {
      if (events && !events.includes(event.event)) continue
      const { id, ...envelope } = event
      // The gateway writes the body of a webhook in the same way, so both are equal.
      const body = JSON.stringify(envelope)
      const at = new Date()
      const signature = signEvent(current, id, at.getTime(), body)
      const result = await postEvent(forwardTo, { ...HEADERS, ...signature }, body)
      counts[isDelivered(result) ? 'forwarded' : 'failed'] += 1
      lines.printEvent(at, event, result)
    }
  } finally {
    stop.end()
    const hasWorked = signal.aborted || counts.forwarded + counts.failed > 0
    if (hasWorked) tell(`${counts.forwarded} forwarded, ${counts.failed} failed.`)
  }
}

async function end(error: unknown, url: string, command: Command): Promise<never> {
  if (command.opts<ListenOptions>().json) return endWith(error, url, command)
  const { toRefusal } = await import('../listen/stream-problem.ts')
  throw toRefusal(error, url)
}

/** The same headers as webhooks have. */
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Purser-Webhooks/1' }

function createReports(
  url: string,
  forwardTo: URL,
  describeEnd: (error: PurserError | null) => string,
) {
  let isFirst = true
  let hasHinted = false
  return {
    onConnected(after: string | null): void {
      if (isFirst) tell(`Following ${url}, forwarding to ${withoutPassword(forwardTo)}`)
      else if (after !== null) tell(`Reconnected; continuing after ${after}`)
      else tell('Reconnected; continuing from now, since no event had arrived before.')
      isFirst = false
    },
    onDisconnected(error: PurserError | null, retryInMs: number): void {
      const seconds = Number((retryInMs / 1_000).toFixed(1))
      tell(`No events from ${url}: ${describeEnd(error)}. Retrying in ${seconds} s.`)
      // A URL that has worked before is the right one.
      if (!isFirst || hasHinted) return
      tell('Is the gateway running? Set its address with --url or PURSER_BASE_URL.')
      hasHinted = true
    },
  }
}
