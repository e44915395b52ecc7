import { toVendor } from '../vendor.ts'

/** Whom a token is for: one origin, and the vendor that its host is. */
export interface Audience {
  readonly origin: string
  readonly vendor: string
}

// Nothing but scheme, host and perhaps a port: a token is for a whole site, and a path or a name
// before an @ would only look like more than that.
const ORIGIN = /^(https?):\/\/[^/?#@\\\s]+\/?$/i

/**
 * The normal form of an origin, so that one site has one name. Undefined for everything else. Plain
 * http is for programs on the same machine while something is tried out.
 */
export function toAudience(text: string, allowsLoopback: boolean): Audience | undefined {
  const [, scheme] = ORIGIN.exec(text) ?? []
  const vendor = scheme === undefined ? undefined : toVendor(text)
  if (scheme === undefined || vendor === undefined || !URL.canParse(text)) return undefined
  const isSecure = scheme.toLowerCase() === 'https'
  if (!isSecure && !(allowsLoopback && isLoopback(vendor))) return undefined
  const { port } = new URL(text)
  const place = port === '' ? vendor : `${vendor}:${port}`
  return { origin: `${isSecure ? 'https' : 'http'}://${place}`, vendor }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
