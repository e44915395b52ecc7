import { isIP } from 'node:net'
import { toAddress } from './addresses.ts'

export interface Destination {
  /** Scheme, host and port; the host without the trailing dot, which no certificate has. */
  readonly origin: string
  readonly hostname: string
  readonly path: string
  /** What can be called without asking the DNS: an address in the URL, or this machine. */
  readonly knownAddresses: readonly string[] | undefined
  /** What speaks against it unless all its addresses were permitted by the operator. */
  readonly demand: string | undefined
}

export interface Refusal {
  readonly reason: 'url_refused' | 'address_refused'
  /** Worded to follow the name of the field: "must …" or "leads to …". */
  readonly text: string
}

const URL_MAX = 2_048
const HOST_MAX = 253

// Spaces, control characters and backslashes are dropped or read as slashes by some URL parsers and
// not by others: two programs would see two hosts.
const AMBIGUOUS = /[\s\\\p{Cc}]/u

// The parser also takes `https:host` and `https:///host`, and forgets an empty user name. What it
// forgives is read here from the text as it was written.
const WRITTEN = /^https?:\/\/([^/?#]*)/i

const NAME = /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/

/** Where databases, queues and control planes listen inside a network, and receivers do not. */
const INTERNAL_SERVICE_PORTS = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 5985, 5986,
  6379, 6443, 8500, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017,
])

/** Reads a URL that somebody else wrote. Where it leads is judged afterwards (vet.ts). */
export function toDestination(text: string): { destination: Destination } | { refusal: Refusal } {
  if (text.length > URL_MAX) return refuse(`must have at most ${URL_MAX} characters`)
  if (AMBIGUOUS.test(text)) return refuse('must not hold spaces, control characters or backslashes')
  const [, authority] = WRITTEN.exec(text) ?? []
  if (authority?.includes('@')) return refuse('must not hold a user name or password')
  if (text.includes('#')) return refuse('must not have a fragment')
  if (authority === undefined) return refuse(NO_SCHEME)
  if (!URL.canParse(text) || authority === '') return refuse(mistakeIn(authority))

  const url = new URL(text)
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

const NO_SCHEME = 'must begin with https://, or with http:// where the gateway allows that'
const NO_HOST = 'must have a valid host after the two slashes, such as hooks.example.com'
const NO_PORT = 'must have a port from 1 to 65535, or none'

/** Why host and port cannot be read. Nothing that follows them can keep a URL from being read. */
function mistakeIn(authority: string): string {
  const host = authority.replace(/:[^:\]]*$/, '')
  return URL.canParse(`https://${host}`) ? NO_PORT : NO_HOST
}

function refuse(text: string): { refusal: Refusal } {
  return { refusal: { reason: 'url_refused', text } }
}

function isName(hostname: string): boolean {
  return hostname.length <= HOST_MAX && NAME.test(hostname)
}

/**
 * `localhost` and all below it are this machine, whatever a name server says (RFC 6761). The
 * resolver would ask one, because it does not read the hosts file.
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
