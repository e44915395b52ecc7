import { isLoopback } from '../base/loopback.ts'
import { checkClaims, type MandateTokenClaims } from './claims.ts'
import { MandateTokenError } from './error.ts'
import { keysOf } from './key-cache.ts'
import { parseToken } from './parse-token.ts'

export interface VerifyMandateTokenOptions {
  /**
   * The public address of the gateway that you trust, exactly as tokens name it, such as
   * `https://gateway.example`. Keep it in your configuration, and never take it from a token.
   */
  readonly issuer: string
  /** Your own origin, such as `https://shop.example`. */
  readonly audience: string
  /**
   * The types of constraints that your program checks. A token with a different one is refused. The
   * default is the two that a token for a third party can have: `dev.purser.payee.1` and
   * `dev.purser.amount.1`.
   */
  readonly constraints?: readonly string[]
  /** How far the clocks may differ, in seconds, from 0 to 300. The default is 30. */
  readonly leewaySeconds?: number
  /** The current time in milliseconds since 1970. */
  readonly now?: number
  /** Sends the request for the keys. The keys are cached for each function. */
  readonly fetch?: typeof globalThis.fetch
  /** Allows an issuer with plain `http:` that is not on this machine. */
  readonly allowHttp?: boolean
  /** Ends the call while it waits for the keys. */
  readonly signal?: AbortSignal
}

const KNOWN_CONSTRAINTS = ['dev.purser.payee.1', 'dev.purser.amount.1']
const LEEWAY_SECONDS = 30
const LEEWAY_SECONDS_MAX = 300

/**
 * Verifies a mandate token offline, and returns its claims. It rejects with a `MandateTokenError`,
 * whose `code` names the cause.
 *
 * The keys come from the issuer that you name, at `/.well-known/jwks.json`, and are cached for five
 * minutes. The token cannot name a key of its own.
 *
 * It cannot know a revocation: if the token was revoked, the agent paused or the mandate changed,
 * the token still verifies until it expires, at most 15 minutes after its issue. Before you accept
 * an amount that you would not risk, ask the gateway with `purser.mandateTokens.introspect`, which
 * needs a key of the organization. A token can be presented more than once; `jti` is its id.
 *
 * @example
 * const claims = await verifyMandateToken(token, {
 *   issuer: 'https://gateway.example',
 *   audience: 'https://shop.example',
 * })
 * console.log(claims.sub, claims.mandate.id)
 */
export async function verifyMandateToken(
  token: string,
  options: VerifyMandateTokenOptions,
): Promise<MandateTokenClaims> {
  const { issuer, audience, constraints, leeway, now, send } = readOptions(options)
  const { kid, claims, message, signature } = parseToken(token)
  // Before the keys are fetched, so that tokens of others cause no request.
  if (claims['iss'] !== issuer) {
    throw new MandateTokenError(
      'issuer_mismatch',
      `The token is not from ${issuer}. Compare it with the issuer in the gateway's response, character for character.`,
    )
  }
  const key = await unlessAborted(() => keysOf(issuer, send).find(kid), options.signal)
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  if (!(await crypto.subtle.verify(algorithm, key, signature, message))) {
    throw new MandateTokenError(
      'signature_mismatch',
      'The signature does not match. The token is forged or was changed.',
    )
  }
  return checkClaims(claims, { audience, constraints, leeway, now: now / 1_000 })
}

/** A program without types can pass anything, and a text as a number would join digits. */
function readOptions(options: VerifyMandateTokenOptions) {
  const { issuer, audience, constraints = KNOWN_CONSTRAINTS, now = Date.now() } = options
  const { leewaySeconds: leeway = LEEWAY_SECONDS, fetch: send = globalThis.fetch } = options
  checkIssuer(options)
  if (typeof audience !== 'string' || audience === '') {
    throw wrongOption('audience must be your own origin, such as https://shop.example')
  }
  if (!(typeof leeway === 'number' && leeway >= 0 && leeway <= LEEWAY_SECONDS_MAX)) {
    throw wrongOption(`leewaySeconds must be a number from 0 to ${LEEWAY_SECONDS_MAX}`)
  }
  if (!Number.isFinite(now)) {
    throw wrongOption('now must be a number of milliseconds since 1970')
  }
  if (!Array.isArray(constraints) || constraints.some((type) => typeof type !== 'string')) {
    throw wrongOption('constraints must be a list of types, such as dev.purser.payee.1')
  }
  if (typeof send !== 'function') throw wrongOption('fetch must be a function')
  return { issuer, audience, constraints: constraints as readonly string[], leeway, now, send }
}

function checkIssuer({ issuer, allowHttp }: VerifyMandateTokenOptions): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || url.origin !== issuer) {
    throw wrongOption('issuer must be an origin, such as https://gateway.example, without a path')
  }
  if (url.protocol !== 'https:' && allowHttp !== true && !isLoopback(url.hostname)) {
    throw wrongOption(
      'issuer must be https, because anyone on the way could replace the keys. Set allowHttp to true to accept that',
    )
  }
}

/** Ends the wait of this caller. The request for the keys goes on, because others may share it. */
async function unlessAborted<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () =>
      reject(new MandateTokenError('aborted', 'The caller aborted the call.', signal.reason))
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race(signal.aborted ? [aborted] : [aborted, work()])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function wrongOption(sentence: string): MandateTokenError {
  return new MandateTokenError('options_invalid', `The option ${sentence}.`)
}
