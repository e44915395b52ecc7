import { getPublicSuffix } from 'tldts'
import { parseUrl } from '../base/parse-url.ts'

export interface VendorSet {
  has(vendor: string): boolean
  /**
   * The pattern that matches. An exact host comes before a wildcard, and a longer suffix before a
   * shorter one.
   */
  match(vendor: string): string | undefined
}

const TEXT_MAX = 2_048
const HOST_MAX = 253
const WILDCARD = '*.'

// Some URL parsers drop spaces, control characters and backslashes or read them as slashes, and others
// do not. If two parsers see two hosts, the checked host is not the paid one.
const AMBIGUOUS = /[\s\\\p{Cc}]/u

// A host and perhaps a port. `@` is not allowed, because the text before it only pretends to be a
// host. `%` is not allowed, because an escaped character is a second spelling of the same host.
const AUTHORITY = /^(\[[\da-f:.]+\]|[^[\]:@%/?#]+?)\.?(?::\d{1,5})?$/i

// Underscores are not allowed in host names, but real services have them and browsers resolve them.
const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/

// Already in normal form, as most vendors are. A last label that begins with a letter is not an
// address, and without `xn--` there is nothing to decode, so a URL parser would return the same
// text.
const NORMAL = /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/

/**
 * The normal form of a vendor: a host name in lower-case ASCII, without port and trailing dot. A
 * URL is reduced to its host. Undefined for everything else, and for any text that two programs
 * could read differently: this string decides who is paid.
 */
export function toVendor(text: string): string | undefined {
  if (text.length <= HOST_MAX && NORMAL.test(text) && !text.includes('xn--')) return text
  if (text.length > TEXT_MAX || AMBIGUOUS.test(text)) return undefined
  const [, host] = AUTHORITY.exec(authorityOf(text)) ?? []
  if (host === undefined) return undefined

  const parsed = parseUrl(`http://${host}/`)?.hostname ?? ''
  if (parsed.startsWith('[')) return parsed
  // `127.1`, `0x7f.1` and `2130706433` are all spellings of one address; only the usual one is
  // accepted.
  if (IPV4.test(parsed)) return parsed === host ? parsed : undefined
  return isHostName(parsed) ? parsed : undefined
}

/**
 * Whether a vendor in normal form is a single word, such as `openai`: no one sells under such a host,
 * so it is mostly a company's name. `localhost` and addresses are hosts.
 */
export function isOneLabel(vendor: string): boolean {
  return !vendor.includes('.') && !vendor.startsWith('[') && vendor !== 'localhost'
}

/**
 * The normal form of an entry in a rule: one host, or `*.` and the name whose sub-domains it means.
 * Wildcards over names that anyone can register under (`*.com`, `*.github.io`) are refused: they look
 * like a restriction but do not restrict anything. The error is worded to follow the name of the field.
 */
export function toVendorPattern(text: string): { pattern: string } | { error: string } {
  if (!text.startsWith(WILDCARD)) {
    const host = toVendor(text)
    return host === undefined ? { error: hostError(text) } : { pattern: host }
  }

  const name = text.slice(WILDCARD.length)
  const suffix = /[:/]/.test(name) ? undefined : toVendor(name)
  if (suffix === undefined) return { error: hostError(text) }
  if (IPV4.test(suffix)) return { error: 'is an IP address, which must be listed exactly' }
  if (isPublicSuffix(suffix)) {
    return { error: `covers ${suffix}, where anyone can register names` }
  }
  return { pattern: WILDCARD + suffix }
}

/**
 * Both are in normal form. `*.a.com` matches sub-domains of a.com at any depth, but not a.com
 * itself.
 */
export function matchesVendor(pattern: string, vendor: string): boolean {
  return isWildcard(pattern) ? vendor.endsWith(pattern.slice(1)) : pattern === vendor
}

/**
 * A set of patterns. A look-up takes time in proportion to the depth of the host name, not to the
 * number of patterns.
 */
export function createVendorSet(patterns: readonly string[]): VendorSet {
  const listed = new Set(patterns)

  function match(vendor: string): string | undefined {
    if (listed.has(vendor)) return vendor
    for (let dot = vendor.indexOf('.'); dot !== -1; dot = vendor.indexOf('.', dot + 1)) {
      const pattern = `*${vendor.slice(dot)}`
      if (listed.has(pattern)) return pattern
    }
    return undefined
  }

  return { has: (vendor) => match(vendor) !== undefined, match }
}

/** Whether the outer pattern matches every host that the inner one matches. */
export function coversPattern(outer: string, inner: string): boolean {
  if (outer === inner) return true
  return isWildcard(outer) && inner.endsWith(outer.slice(1))
}

function isWildcard(pattern: string): boolean {
  return pattern.startsWith(WILDCARD)
}

function authorityOf(text: string): string {
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? []
  return authority ?? text
}

function isHostName(host: string): boolean {
  return host.length <= HOST_MAX && host.split('.').every((label) => LABEL.test(label))
}

/**
 * Also true for a name whose children are all public suffixes, as with the list's entry
 * `*.compute.amazonaws.com`: the owner of such a child does not own the name.
 */
function isPublicSuffix(name: string): boolean {
  const child = `x.${name}`
  return publicSuffixOf(name) === name || publicSuffixOf(child) === child
}

function publicSuffixOf(host: string): string | null {
  return getPublicSuffix(host, { allowPrivateDomains: true })
}

function hostError(text: string): string {
  if (text.includes('*')) return 'must be a host name, or `*.` followed by a domain name'
  return 'must be a host name or an http(s) URL'
}
