import { isIP } from 'node:net'
import { toAddress } from './addresses.ts'

export interface Destination {
  /** Scheme, host and port. The host has no trailing dot, because no certificate has one. */
  readonly origin: string
  readonly hostname: string
  readonly path: string
  /** Addresses that are known without DNS: the URL holds one, or it means this machine. */
  readonly knownAddresses: readonly string[] | undefined
  /** Why it is refused, unless the operator permitted all its addresses. */
  readonly demand: string | undefined
}

export interface Refusal {
  readonly reason: 'url_refused' | 'address_refused'
  /** Worded to follow the name of the field: "must …" or "leads to …". */
  readonly text: string
}

const URL_MAX = 2_048
const HOST_MAX = 253

// Some URL parsers drop spaces, control characters and backslashes or read them as slashes, and
// others do not: two programs would see two hosts.
const AMBIGUOUS = /[\s\\\p{Cc}]/u

// The parser also accepts `https:host` and `https:///host`, and drops an empty user name. This
// pattern reads the text as it was written, so it sees what the parser forgives.
const WRITTEN = /^https?:\/\/([^/?#]*)/i

const NAME = /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/

/**
 * Databases, queues and control planes listen on these ports inside a network; receivers do not.
 */
const INTERNAL_SERVICE_PORTS = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 5985, 5986,
  6379, 6443, 8500, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017,
])

/** Parses a URL from an untrusted party. judge-url.ts then judges its addresses. */
export function toDestination(text: string): { destination: Destination } | { refusal: Refusal } {
  if (text.length > URL_MAX) return refuse(`must have at most ${URL_MAX} characters`)
  if (AMBIGUOUS.test(text))
    return refuse('must not contain spaces, control characters or backslashes')
  const [, authority] = WRITTEN.exec(text) ?? []
  if (authority?.includes('@')) return refuse('must not contain a user name or password')
  if (text.includes('#')) return refuse('must not have a fragment')
  if (authority === undefined) return refuse(NO_SCHEME)
  const url = authority === '' ? undefined : parseUrl(text)
  if (url === undefined) return refuse(mistakeIn(authority))

  const hostname = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const isAddress = isIP(hostname) !== 0
  if (!isAddress && !isName(hostname)) return refuse(NO_HOST)
  if (url.port === '0') return refuse(NO_PORT)

  const host = url.hostname.replace(/\.$/, '')
  return {
    destination: {
      origin: `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`,
      hostname,
      path: url.pathname + url.search,
      knownAddresses: knownAddressesOf(hostname),
      demand: demandOf(url),
    },
  }
}

const NO_SCHEME = 'must begin with https://, or with http:// if the gateway allows it'
const NO_HOST = 'must have a valid host after the two slashes, such as hooks.example.com'
const NO_PORT = 'must have a port from 1 to 65535, or none'

/** Says why host and port cannot be read. Nothing after them can make a URL unreadable. */
function mistakeIn(authority: string): string {
  const host = authority.replace(/:[^:\]]*$/, '')
  return parseUrl(`https://${host}`) ? NO_PORT : NO_HOST
}

function refuse(text: string): { refusal: Refusal } {
  return { refusal: { reason: 'url_refused', text } }
}

function isName(hostname: string): boolean {
  return hostname.length <= HOST_MAX && NAME.test(hostname)
}

/**
 * `localhost` and all its subdomains mean this machine, whatever a name server says (RFC 6761). Our
 * resolver does not read the hosts file, so it would query a name server.
 */
function knownAddressesOf(hostname: string): readonly string[] | undefined {
  const address = toAddress(hostname)
  if (address !== undefined) return [address]
  if (/(?:^|\.)localhost$/.test(hostname)) return ['127.0.0.1', '::1']
  return undefined
}

function demandOf({ protocol, port }: URL): string | undefined {
  if (protocol !== 'https:') return 'must be an https URL'
  if (port === '' || port === '80') return undefined
  const isReserved = Number(port) < 1_024 || INTERNAL_SERVICE_PORTS.has(Number(port))
  return isReserved ? `must not use port ${port}, which belongs to another service` : undefined
}

/** Like `base/parse-url.ts`, which says why not `URL.canParse`; this part imports nothing of ours. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
