import type { PurserError, StreamedEvent } from '@purser/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CredentialOptions, type Credentials, findCredentials } from '../api/credentials.ts'
import { PROFILE_OPTION, URL_OPTION, withExample } from '../api/gateway-command.ts'
import { createStopSignal } from '../api/stop-signal.ts'
import { EVENT_KINDS } from '../listen/event-kinds.ts'
import { type PostResult, postEvent } from '../listen/post-event.ts'
import { secretMistake } from '../listen/secret-mistake.ts'
import { toTargetUrl, withoutPassword } from '../listen/target-url.ts'
import { tell } from '../output/print.ts'

interface ListenOptions extends CredentialOptions {
  readonly forwardTo: URL
  readonly secret?: string
  readonly events?: readonly string[]
}

const KIND_WIDTH = Math.max(...EVENT_KINDS.map((kind) => kind.length))

const NOTES = `
Posts each event once and in order, signed like a webhook. If the receiver fails
or does not answer within 5 s, listen prints that and does not retry the event.
The gateway needs no webhook URL for this. If the connection to the gateway
breaks, listen reconnects and continues after the last event. Set the secret in
the environment rather than on the command line. The API key needs the scope
webhooks:read.`

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
    .addOption(
      new Option('--secret <whsec_…>', 'signing secret; default: a new one, which is printed').env(
        'PURSER_WEBHOOK_SECRET',
      ),
    )
    .option(
      '--events <kinds>',
      `only these kinds, comma-separated: ${EVENT_KINDS.join(', ')}`,
      parseKinds,
    )
    .addHelpText('after', NOTES)
    .option(...URL_OPTION)
    .option(...PROFILE_OPTION)
    .action(async (options: ListenOptions) => {
      // Check this here, because the messages of option parsers would repeat the secret value.
      const mistake = options.secret ? secretMistake(options.secret) : undefined
      if (mistake !== undefined) {
        command.error(`error: the secret in PURSER_WEBHOOK_SECRET or --secret ${mistake}`)
      }
      return run(options, await findCredentials(options, command))
    })
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
  { forwardTo, secret, events }: ListenOptions,
  { url, apiKey }: Credentials,
): Promise<void> {
  // Import them only here: the help and argument errors do not need them.
  const { createClient } = await import('../api/create-client.ts')
  const { newWebhookSecret, signEvent } = await import('../listen/sign-event.ts')
  const { describeEnd, toRefusal } = await import('../listen/stream-problem.ts')
  const current = secret || newWebhookSecret()
  if (!secret) tell(`Signing with a secret for this session: ${current}`)

  const { signal, end } = createStopSignal()
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
      counts[isSuccess(result) ? 'forwarded' : 'failed'] += 1
      process.stdout.write(`${toLine(at, event, result)}\n`)
    }
  } catch (error) {
    throw toRefusal(error, url)
  } finally {
    end()
    const hasWorked = signal.aborted || counts.forwarded + counts.failed > 0
    if (hasWorked) tell(`${counts.forwarded} forwarded, ${counts.failed} failed.`)
  }
}

/** The same headers as webhooks have. */
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Purser-Webhooks/1' }

/** Only 2xx acknowledges an event. */
function isSuccess(result: PostResult): boolean {
  return result.kind === 'answer' && result.status >= 200 && result.status < 300
}

function toLine(at: Date, { event, id }: StreamedEvent, result: PostResult): string {
  const time = at.toTimeString().slice(0, 8)
  const reason = result.kind === 'answer' ? `answered ${result.status}` : result.reason
  const outcome =
    result.kind === 'answer' && isSuccess(result) ? result.status : `failed: ${reason}`
  return `${time}  ${event.padEnd(KIND_WIDTH)}  ${id}  ${outcome}  ${result.durationMs} ms`
}

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
