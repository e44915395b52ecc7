import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/errors.ts'

const HOST = 'host'

/**
 * Node keeps the first of two Host headers, and a proxy in front of it may have used the other one.
 * RFC 9112, section 3.2, requires such a request to be refused; Node itself refuses a request
 * without a Host header. This runs for every request, so names of a different length are skipped.
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
