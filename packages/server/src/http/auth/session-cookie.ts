import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Browsers accept a cookie of this name only over HTTPS, and let no other host or path set it. In
 * development a person uses the gateway over HTTP on their own machine, where a browser would drop
 * such a cookie; hence the plain name.
 */
const NAME = '__Host-purser_session'
const PLAIN_NAME = 'purser_session'
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/

/** How this installation sets cookies, and its own address. */
export interface CookieSettings {
  readonly isDevelopment: boolean
  /** The public origin; undefined if it is not set. */
  readonly publicUrl: string | undefined
}

/** Whether the request came without HTTPS to a development installation on the same machine. */
export function isPlain({ headers }: FastifyRequest, settings: CookieSettings): boolean {
  const { isDevelopment, publicUrl } = settings
  const isHttps = publicUrl?.startsWith('https:') === true
  return isDevelopment && !isHttps && LOOPBACK.test(headers.host ?? '')
}

/**
 * Returns the token that the request carries. Returns undefined if it carries none, or several:
 * then it is unclear who set which.
 */
export function readSessionCookie(
  request: FastifyRequest,
  settings: CookieSettings,
): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  const begin = `${isPlain(request, settings) ? PLAIN_NAME : NAME}=`
  const own = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin))
  const [only] = own
  return own.length === 1 ? only?.slice(begin.length) : undefined
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: CookieSettings,
  { token, maxAgeMs }: { readonly token: string; readonly maxAgeMs: number },
): void {
  const plain = isPlain(request, settings)
  const parts = [
    `${plain ? PLAIN_NAME : NAME}=${token}`,
    'Path=/',
    `Max-Age=${Math.floor(maxAgeMs / 1_000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(plain ? [] : ['Secure']),
  ]
  reply.header('set-cookie', parts.join('; '))
}

/** Makes the browser delete the cookie. */
export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: CookieSettings,
): void {
  setSessionCookie(request, reply, settings, { token: '', maxAgeMs: 0 })
}
