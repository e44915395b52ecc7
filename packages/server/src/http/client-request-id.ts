import type { FastifyRequest } from 'fastify'
import { holdsCardNumber } from '../core/card-number.ts'

/** Characters that need no escape in a log line, a URL or a shell. */
const PLAIN = /^[\w.:/+=@~-]{1,128}$/

/**
 * The caller's own id of a request, from its header `X-Request-Id`. It stands beside our id in log
 * lines and problems, and never replaces it: a caller can repeat an id or choose that of a
 * different caller. Returns undefined if there is none or if it is not plain.
 */
export function clientRequestIdOf({
  headers,
}: Pick<FastifyRequest, 'headers'>): string | undefined {
  const id = headers['x-request-id']
  if (typeof id !== 'string' || !PLAIN.test(id) || holdsCardNumber(id)) return undefined
  return id
}
