import { isLoopback } from '../base/loopback.ts'
import { PurserError } from './errors.ts'

/** The options of a client. Each has a default. */
export interface PurserOptions {
  /**
   * The API key. Default: `PURSER_API_KEY` of the environment. `null` sends the session cookie of
   * the page instead, for pages that the gateway serves.
   */
  readonly apiKey?: string | null | undefined
  /**
   * The address of the gateway, with or without `/api/v1`. Default: `PURSER_BASE_URL` or
   * `PURSER_URL` of the environment, else `http://127.0.0.1:3000`.
   */
  readonly baseUrl?: string | undefined
  /** How long a call may take with all its attempts, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined
  /** How many times to repeat a failed attempt. Default: 4. */
  readonly retries?: number | undefined
  /** The `fetch` to send requests with. Default: that of the runtime. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Allows plain `http:` to a host that is not this machine. The key then travels in clear. */
  readonly allowHttp?: boolean | undefined
}

/** The options of a client, checked and complete. */
export interface Settings {
  readonly apiKey: string | null
  /** Without a slash at the end, and without `/api/v1`. */
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly retries: number
  readonly fetch: typeof globalThis.fetch
}

const DEFAULT_URL = 'http://127.0.0.1:3000'
const TIMEOUT_MS = 60_000
const RETRIES = 4

export function readOptions(options: PurserOptions): Settings {
  checkNames(options, 'apiKey baseUrl timeoutMs retries fetch allowHttp')
  // Else an unset variable for the key of an agent would choose that of the organization.
  if ('apiKey' in options && options.apiKey === undefined) throw badOption('`apiKey` is undefined.')
  const apiKey = readKey(options.apiKey)
  const { fetch: ownFetch } = options
  return {
    apiKey,
    baseUrl: readBaseUrl(options, apiKey === null),
    timeoutMs: readNumber('timeoutMs', options.timeoutMs, TIMEOUT_MS, 1),
    retries: readNumber('retries', options.retries, RETRIES, 0),
    // Called without an owner: a browser refuses its `fetch` as a method of an object.
    fetch: (input, init) => (ownFetch ?? globalThis.fetch)(input, init),
  }
}

function readKey(given: string | null | undefined): string | null {
  if (given === null) return null
  const key = (given ?? environment('PURSER_API_KEY'))?.trim()
  if (!key) {
    throw badOption('There is no API key. Pass `apiKey`, or set PURSER_API_KEY.')
  }
  // `fetch` would quote a key that no header can carry in its error.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw badOption('The API key contains a character that no API key has. Copy it again.')
  }
  return key
}

function readBaseUrl({ baseUrl, allowHttp }: PurserOptions, isPage: boolean): string {
  const given =
    baseUrl ??
    environment('PURSER_BASE_URL') ??
    environment('PURSER_URL') ??
    (isPage ? pageOrigin() : undefined) ??
    DEFAULT_URL
  const url = parseUrl(given)
  const extras = url && url.username + url.password + url.search + url.hash
  if (!url || extras || !/^https?:$/.test(url.protocol)) {
    throw badOption(
      '`baseUrl` (or PURSER_BASE_URL, or PURSER_URL) is a URL such as `https://purser.example.com`, without user and query.',
    )
  }
  // The browser has loaded the page from the same address.
  const isOwnOrigin = isPage && url.origin === pageOrigin()
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp && !isOwnOrigin) {
    throw badOption(
      `The credentials would travel in clear to ${url.host}. Use https, or pass \`allowHttp: true\` for a network that you trust.`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  return url.origin + path
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Returns an option that is a number, or its default. */
export function readNumber(
  name: string,
  given: number | undefined,
  otherwise: number,
  least: number,
): number {
  if (given === undefined) return otherwise
  if (!Number.isFinite(given) || given < least) {
    throw badOption(`\`${name}\` must be a number of at least ${least}, and not ${String(given)}.`)
  }
  return given
}

/** A misspelt option would have no effect, such as a key that does not protect. */
export function checkNames(options: object, names: string): void {
  for (const name of Object.keys(options)) {
    if (!names.split(' ').includes(name)) {
      throw badOption(`The option \`${name}\` does not exist.`)
    }
  }
}

export function badOption(detail: string): PurserError {
  return new PurserError(detail, { code: 'invalid_option' })
}

/** Returns a variable of the environment, in runtimes that have one. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  try {
    return process?.env?.[name] || undefined
  } catch {
    // Deno without the permission to read the environment.
    return undefined
  }
}

function pageOrigin(): string | undefined {
  const { location } = globalThis as { location?: { origin?: string } }
  return location?.origin
}
