import type { Issuer } from '@purser/server'
import { type Command, InvalidArgumentError } from 'commander'
import { type CredentialOptions, DEFAULT_GATEWAY, findCredentials } from '../api/credentials.ts'
import { PROFILE_OPTION, withExample } from '../api/gateway-command.ts'
import { readProblem } from '../api/read-problem.ts'
import { refuseSecret } from '../api/removed-secret.ts'
import { EXIT, exitWith } from '../exit.ts'
import { toTargetUrl } from '../listen/target-url.ts'
import { toJson } from '../output/plain.ts'
import { tell } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { ask } from '../trigger/ask.ts'
import { toCardRequest } from '../trigger/card-request.ts'
import { toMinorUnits } from '../trigger/minor-units.ts'
import { readDecision } from '../trigger/read-answer.ts'
import { type Recipient, type RecipientOptions, toRecipient } from '../trigger/recipient.ts'

interface CardOptions extends Pick<RecipientOptions, 'connection'>, CredentialOptions {
  readonly card: string
  readonly amount: string
  readonly currency: string
  readonly merchant: string
  readonly merchantId: string
  readonly mcc: string
  readonly country?: string
  readonly partial?: true
  readonly wait?: number
  readonly json?: true
}

const SECRET = 'PURSER_CARD_SECRET'

const NOTES = `
The URL selects the issuer. If it is the authorization URL of a connection (such
as …/ingest/stripe/…/authorization or …/ingest/lithic/…/asa), the command sends
the request of that issuer, signed with the authorization secret of the
connection in PURSER_CARD_SECRET. Otherwise it is the URL of the gateway, and
the command sends generic JSON with --connection and an API key with the scope
cards:write. It prints the answer unchanged. The decision is real: an approval
holds budget until it is reversed.`

/** `purser trigger card`: sends one card authorization, as an issuer would. */
export function trigger(group: Command): void {
  const command = group
    .command('card')
    .description('send one card authorization, as an issuer would')
    .option(
      '--url <address>',
      'authorization URL of a connection, or URL of the gateway; default: PURSER_BASE_URL, else http://127.0.0.1:3000',
      parseUrl,
    )
    .requiredOption('--card <id>', 'id of the card at its issuer (externalId)')
    .option('--amount <amount>', 'amount in units of the currency; 0 only verifies the card', '49')
    .option('--currency <code>', 'currency of the card', parseCurrency, 'USD')
    .option('--merchant <name>', 'merchant name on the statement', 'EXAMPLE SAAS INC')
    .option('--merchant-id <id>', 'id of the merchant in the card network', '100200300400')
    .option('--mcc <code>', 'merchant category code (four digits)', parseMcc, '5734')
    .option('--country <code>', 'country of the merchant, in capitals', parseCountry)
    .option('--partial', 'allow a partial approval')
    .option(
      '--wait <seconds>',
      'seconds to wait for the answer; default: as long as the issuer waits',
      parseWait,
    )
    .option('--connection <conn_…>', 'id of a generic connection')
    .option(...PROFILE_OPTION)
    .option('--json', 'print only the JSON answer')
    .addHelpText('after', NOTES)
    .action(async (options: CardOptions) => {
      const url = addressOf(options, command)
      const issuers = await readIssuers(url)
      const isGeneric = issuers.length === 0 && options.connection !== undefined
      const credentials = isGeneric ? findCredentials(options, command) : { url }
      const recipient = toRecipient(
        { ...options, ...credentials, secret: process.env[SECRET] },
        issuers,
      )
      if ('mistake' in recipient) return command.error(`error: ${recipient.mistake}`)
      const amount = toMinorUnits(options.amount, options.currency)
      if (amount === undefined) {
        return command.error(
          `error: --amount must be an amount that ${options.currency} can pay, such as 49`,
        )
      }
      return run(options, recipient, amount)
    })
  refuseSecret(command, SECRET)
  withExample(command, 'purser trigger card --card card_1 --connection conn_… --amount 49')
}

/** Unlike the address of a gateway, the address of a connection keeps its path. */
function addressOf({ url }: CredentialOptions, command: Command): string {
  const { PURSER_BASE_URL: base, PURSER_URL: older } = process.env
  const address = url ?? toAddress(base || older || DEFAULT_GATEWAY)
  return address ?? command.error(`error: PURSER_BASE_URL or PURSER_URL ${EXPECTED_URL}`)
}

const EXPECTED_URL = `must be an http(s) URL such as ${DEFAULT_GATEWAY}`

/** The server takes a second to load, and only the addresses of connections name an issuer. */
async function readIssuers(url: string): Promise<readonly Issuer[]> {
  if (!url.includes('/ingest/')) return []
  const { ISSUERS } = await loadServer()
  return ISSUERS
}

function parseUrl(text: string): string {
  const address = toAddress(text)
  if (address !== undefined) return address
  throw new InvalidArgumentError(`It ${EXPECTED_URL}.`)
}

function toAddress(text: string): string | undefined {
  const url = toTargetUrl(text)
  return url && url.username === '' && url.password === ''
    ? url.href.replace(/\/+$/, '')
    : undefined
}

function parseCurrency(text: string): string {
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase()
  throw new InvalidArgumentError('Expected a code of three letters, such as USD.')
}

function parseMcc(text: string): string {
  if (/^\d{4}$/.test(text)) return text
  throw new InvalidArgumentError('Expected four digits, such as 5734.')
}

function parseCountry(text: string): string {
  if (/^[A-Z]{2,3}$/.test(text)) return text
  throw new InvalidArgumentError('Expected a code such as US, or USA for Lithic.')
}

function parseWait(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 600) return seconds
  throw new InvalidArgumentError('Expected seconds, at most 600.')
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
  const comment = options.json ? () => undefined : tell
  comment(
    `${options.amount} ${currency} at ${name} (${mcc}) with the card ${shown(card)}, ${asWhom(recipient)}`,
  )
  const waitMs = options.wait === undefined ? request.waitMs : options.wait * 1_000
  const asked = await ask(recipient.url, request.headers, request.body, waitMs)
  if (asked.kind === 'failure') throw new Error(`${asked.reason}.${hint(asked.isLate)}`)
  const problem = options.json && asked.status !== 200 ? readProblem(asked.body) : undefined
  if (problem !== undefined) {
    tell(toJson(problem))
    exitWith(EXIT.failure)
  }
  process.stdout.write(`${asked.body}\n`)
  const decision = asked.status === 200 ? readDecision(recipient.issuer, asked.body) : undefined
  if (decision === undefined)
    throw new Error(`answered ${asked.status}.${reasonFor(recipient, asked.status)}`)
  comment(`${decision}, within ${asked.durationMs} ms.`)
}

/** Hides card numbers, because a terminal or a build log must not contain one. */
function shown(card: string): string {
  return card.replace(/\d{9,}(?=\d{4})/g, '…')
}

function asWhom({ issuer }: Recipient): string {
  return issuer ? `sent as ${issuer.title} does.` : 'sent as generic JSON.'
}

function hint(isLate: boolean): string {
  return isLate
    ? ' The issuer would decide on its own.'
    : ' Is the gateway running? Set its address with --url or PURSER_BASE_URL.'
}

/** Explains a refusal: the doors of issuers give no reason. The API gives its reason in the body. */
function reasonFor({ issuer }: Recipient, status: number): string {
  if (!issuer) return ''
  if (status === 401) return ' Check that the secret is the one for authorizations, not for events.'
  return status === 404 ? ' No connection has this address.' : ''
}
