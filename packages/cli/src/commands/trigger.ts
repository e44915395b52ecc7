import type { Issuer } from '@purser/server'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { toTargetUrl } from '../listen/target-url.ts'
import { ask } from '../trigger/ask.ts'
import { toCardRequest } from '../trigger/card-request.ts'
import { toMinorUnits } from '../trigger/minor-units.ts'
import { readDecision } from '../trigger/read-answer.ts'
import { type Recipient, type RecipientOptions, toRecipient } from '../trigger/recipient.ts'

interface CardOptions extends RecipientOptions {
  readonly card: string
  readonly amount: string
  readonly currency: string
  readonly merchant: string
  readonly merchantId: string
  readonly mcc: string
  readonly country?: string
  readonly partial?: true
  readonly wait?: number
}

const DEFAULT_GATEWAY = 'http://127.0.0.1:3000'

const NOTES = `
The address says which issuer is played: the authorization URL of a connection
(such as …/ingest/stripe/…/authorization or …/ingest/lithic/…/asa) is sent what
that issuer would send, signed with --secret. Any other address is the gateway's,
and is sent our own JSON with --connection and --api-key. The answer is printed as it
came. It is decided for real: an approval holds budget until it is reversed.
Keys and secrets are better given by the environment than on the command line.`

/** `purser trigger card`: sends one card authorization, as an issuer would. */
export function trigger(program: Command): void {
  const command = program
    .command('trigger')
    .description('send what others would send, to try a gateway')
    .command('card')
    .description('ask for one card authorization, as an issuer would')
    .addOption(
      new Option('--url <address>', "a connection's authorization URL, or the gateway")
        .env('PURSER_URL')
        .argParser(parseUrl)
        .default(DEFAULT_GATEWAY),
    )
    .requiredOption('--card <id>', 'the card as its issuer names it (externalId)')
    .option('--amount <amount>', 'in units of the currency; 0 only checks the card', '49')
    .option('--currency <code>', 'the currency of the card', parseCurrency, 'USD')
    .option('--merchant <name>', 'what stands on the statement', 'EXAMPLE SAAS INC')
    .option('--merchant-id <id>', 'the id of the merchant in its network', '100200300400')
    .option('--mcc <code>', 'what the merchant sells, in four digits', parseMcc, '5734')
    .option('--country <code>', 'of the merchant, in capitals', parseCountry)
    .option('--partial', 'the merchant would take less')
    .option('--wait <seconds>', 'for the answer; without it, as long as the issuer', parseWait)
    .addOption(
      new Option('--secret <whsec_…>', "the connection's secret for authorizations").env(
        'PURSER_CARD_SECRET',
      ),
    )
    .option('--connection <conn_…>', 'a generic connection')
    .addOption(
      new Option('--api-key <key>', 'a key with the scope cards:write').env('PURSER_API_KEY'),
    )
    .addHelpText('after', NOTES)
    .action(async (options: CardOptions) => {
      const recipient = toRecipient(options, await readIssuers(options.url))
      if ('mistake' in recipient) return command.error(`error: ${recipient.mistake}`)
      const amount = toMinorUnits(options.amount, options.currency)
      if (amount === undefined) {
        return command.error(
          `error: --amount must be an amount that ${options.currency} can pay, such as 49`,
        )
      }
      return run(options, recipient, amount)
    })
}

/** The server takes a second to load, and only the addresses of connections name an issuer. */
async function readIssuers(url: string): Promise<readonly Issuer[]> {
  if (!url.includes('/ingest/')) return []
  const { ISSUERS } = await import('@purser/server')
  return ISSUERS
}

function parseUrl(text: string): string {
  const url = toTargetUrl(text === '' ? DEFAULT_GATEWAY : text)
  if (url && url.username === '' && url.password === '') return url.href.replace(/\/+$/, '')
  throw new InvalidArgumentError('Give an http(s) URL such as http://127.0.0.1:3000.')
}

function parseCurrency(text: string): string {
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase()
  throw new InvalidArgumentError('Give a code of three letters, such as USD.')
}

function parseMcc(text: string): string {
  if (/^\d{4}$/.test(text)) return text
  throw new InvalidArgumentError('Give four digits, such as 5734.')
}

function parseCountry(text: string): string {
  if (/^[A-Z]{2,3}$/.test(text)) return text
  throw new InvalidArgumentError('Give a code such as US, or USA as Lithic writes it.')
}

function parseWait(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 600) return seconds
  throw new InvalidArgumentError('Give seconds, at most 600.')
}

async function run(options: CardOptions, recipient: Recipient, amount: number): Promise<void> {
  const { card, currency, merchant: name, merchantId: id, mcc, partial } = options
  const country = options.country ?? recipient.issuer?.trigger.country ?? 'US'
  const purchase = {
    card,
    amount,
    currency,
    merchant: { name, id, mcc, country },
    partialSupported: partial === true,
  }
  const seconds = Math.floor(Date.now() / 1_000)
  const request = toCardRequest(recipient, purchase, Number(options.amount), seconds)
  tell(
    `${options.amount} ${currency} at ${name} (${mcc}) with the card ${shown(card)}, ${asWhom(recipient)}`,
  )
  const waitMs = options.wait === undefined ? request.waitMs : options.wait * 1_000
  const asked = await ask(recipient.url, request.headers, request.body, waitMs)
  if (asked.kind === 'failure') throw new Error(`${asked.reason}.${hint(asked.isLate)}`)
  process.stdout.write(`${asked.body}\n`)
  const decision = asked.status === 200 ? readDecision(recipient.issuer, asked.body) : undefined
  if (decision === undefined)
    throw new Error(`answered ${asked.status}.${reasonFor(recipient, asked.status)}`)
  tell(`${decision}, within ${asked.durationMs} ms.`)
}

/** Hides card numbers, because a terminal or a build log must not contain one. */
function shown(card: string): string {
  return card.replace(/\d{9,}(?=\d{4})/g, '…')
}

function asWhom({ issuer }: Recipient): string {
  return issuer ? `asked as ${issuer.title} does.` : 'asked in our own JSON.'
}

function hint(isLate: boolean): string {
  return isLate
    ? ' The issuer would decide by itself.'
    : ' Is the gateway running? Say where with --url or PURSER_URL.'
}

/** Explains a refusal: the doors of issuers give no reason. The API gives its reason in the body. */
function reasonFor({ issuer }: Recipient, status: number): string {
  if (!issuer) return ''
  if (status === 401) return ' Is it the secret for authorizations, and not the one for events?'
  return status === 404 ? ' No connection has this address.' : ''
}

/** Writes to standard error, because standard output has only the answer. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}
