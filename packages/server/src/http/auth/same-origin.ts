import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { parseUrl } from '../../base/parse-url.ts'
import { type CookieSettings, isPlain } from './session-cookie.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Browsers send the cookie with requests from any page, so a change with a session must come from a
 * page of our own. Browsers state the origin in `Sec-Fetch-Site`. An older browser, or a program,
 * names the page in `Origin`, which must equal PURSER_PUBLIC_URL if that is set.
 */
export function requireSameOrigin(request: FastifyRequest, settings: CookieSettings): void {
  if (SAFE.has(request.method) || isFromOwnPage(request, settings)) return
  throw crossSite()
}

/**
 * For requests without a session, such as signing in. A foreign page must not send them from a
 * user's browser. A request without both headers comes from a program, not from a page.
 */
export function refuseOtherOrigin(request: FastifyRequest, settings: CookieSettings): void {
  if (isFromAnyPage(request)) requireSameOrigin(request, settings)
}

/** Whether a page of a different origin sends the request, from the browser of a user. */
export function isFromOtherOrigin(request: FastifyRequest, settings: CookieSettings): boolean {
  return isFromAnyPage(request) && !isFromOwnPage(request, settings)
}

/** Browsers send one of these headers with each request that is not a plain read of their own. */
function isFromAnyPage({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
}

function isFromOwnPage(request: FastifyRequest, settings: CookieSettings): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const { publicUrl } = settings
  // An installation that knows its address has pages nowhere else, whatever Host says: the caller
  // chooses that header.
  const isNamed = publicUrl !== undefined && origin !== undefined
  if (isNamed && origin !== publicUrl) return false
  if (site !== undefined) return site === 'same-origin'
  if (isNamed) return true
  const page = origin === undefined ? undefined : parseUrl(origin)
  if (page === undefined) return false
  // Over HTTP, an attacker on the network could have written the page.
  const isSafe = page.protocol === 'https:' || isPlain(request, settings)
  return isSafe && page.origin === origin && page.host === host
}

function crossSite(): Problem {
  return new Problem(
    'cross_site',
    'A session can make changes only from a page of this gateway. A browser must send Sec-Fetch-Site: same-origin; a program without that header must send Origin with the address of the gateway. Programs should use an API key instead.',
  )
}
