import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/errors.ts'

const HOST = 'host'

/**
 * Node keeps the first of two Host headers, and a proxy before it may have gone by the other one. The
 * HTTP standard (RFC 9112, section 3.2) has such a request refused; one without any Node refuses itself.
 * It is on the way of every request, so names of another length are passed over.
 */
export function requireOneHost({ raw }: FastifyRequest): void {
  const { rawHeaders } = raw
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1
  }
  if (count <= 1) return
  throw new Problem('validation_failed', 'The request has several Host headers. Send one.')
}
