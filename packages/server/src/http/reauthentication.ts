import type { FastifyRequest } from 'fastify'
import { isMember, REAUTHENTICATED_MS } from '../core/people/member-principal.ts'
import type { Principal } from '../core/principal.ts'
import type { Instant } from '../core/time/instant.ts'
import { Problem } from '../errors.ts'

/**
 * Whoever finds a browser that somebody has left must not be able to take over the organization: what
 * is sensitive needs the password, given lately. Keys have none.
 */
export function requireReauthentication(principal: Principal, now: Instant): void {
  if (!isMember(principal)) return
  if (now < principal.reauthenticatedAt + REAUTHENTICATED_MS) return
  throw new Problem(
    'reauthentication_required',
    'This needs the password, given within the last five minutes. Send it to POST /console/api/reauthenticate, and then repeat this request.',
  )
}

/** For an endpoint where only some fields of the body are sensitive. */
export function guardFields(fields: readonly string[], now: () => Instant) {
  return (request: FastifyRequest, _reply: unknown, done: () => void): void => {
    const { body, principal } = request
    const isGiven = (field: string): boolean =>
      typeof body === 'object' && body !== null && Object.hasOwn(body, field)
    if (fields.some(isGiven)) requireReauthentication(principal, now())
    done()
  }
}
