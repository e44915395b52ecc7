import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Browsers keep a cookie of this name only over HTTPS, and let no other host or path set it. In
 * development a person tries the gateway over HTTP on their own machine, where they would drop it.
 */
const NAME = '__Host-purser_session'
const PLAIN_NAME = 'purser_session'
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/

/** How this installation gives cookies and knows its own address. */
export interface CookieSettings {
  readonly isDevelopment: boolean
  /** Where it is reached from outside; undefined if nobody has said it. */
  readonly publicUrl: string | undefined
}

/** Whether the request came without HTTPS to a development installation on the same machine. */
export function isPlain({ headers }: FastifyRequest, settings: CookieSettings): boolean {
  const { isDevelopment, publicUrl } = settings
  const isHttps = publicUrl?.startsWith('https:') === true
  return isDevelopment && !isHttps && LOOPBACK.test(headers.host ?? '')
}

/**
 * The token that the request carries; undefined if it carries none, or several: then it is not known
 * who has set which.
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

/** The browser forgets it. */
export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: CookieSettings,
): void {
  setSessionCookie(request, reply, settings, { token: '', maxAgeMs: 0 })
}
