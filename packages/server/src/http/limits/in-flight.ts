import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { createFairShare } from './fair-share.ts'
import { whenOver } from './when-over.ts'

/**
 * Counts a request from its authentication to its answer, and refuses one beyond the limit. Returns
 * a promise if the request has to wait for its turn.
 */
export type InFlight = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined

export interface InFlightLimits {
  readonly perOrganization: number
  readonly perKey: number
}

/**
 * Bounds the requests that one organization, and one of its keys, can have in progress in this
 * process. The limits are far above the needs of a caller that waits for answers: they are for
 * floods. Event streams are not counted, because they stay open; they have limits of their own.
 */
export function createInFlight({ perOrganization, perKey }: InFlightLimits): InFlight {
  const ofOrganizations = new Map<string, number>()
  const ofKeys = new Map<string, number>()
  const share = createFairShare()

  return (request, reply) => {
    if (isStream(request)) return undefined
    const { organizationId, principal } = request
    if ((ofKeys.get(principal.id) ?? 0) >= perKey) throw tooManyOfKey(perKey)
    if ((ofOrganizations.get(organizationId) ?? 0) >= perOrganization) {
      throw tooManyOfOrganization(perOrganization)
    }
    count(ofKeys, principal.id, 1)
    count(ofOrganizations, organizationId, 1)
    const turn = share.enter(organizationId)
    whenOver(request, reply, () => {
      count(ofKeys, principal.id, -1)
      count(ofOrganizations, organizationId, -1)
      if (turn === undefined) share.leave(organizationId)
      else void turn.then(() => share.leave(organizationId))
    })
    return turn
  }
}

/**
 * Entries are kept only while something is in flight, so there are never more entries than
 * requests.
 */
function count(counts: Map<string, number>, id: string, change: 1 | -1): void {
  const next = (counts.get(id) ?? 0) + change
  if (next === 0) counts.delete(id)
  else counts.set(id, next)
}

function isStream(request: FastifyRequest): boolean {
  const isAccepted = request.headers.accept?.includes('text/event-stream') === true
  return isAccepted && request.routeOptions.config.mayStream === true
}

function tooManyOfKey(limit: number): Problem {
  return new Problem(
    'rate_limited',
    `This key has ${limit} requests in flight, the maximum. Wait for answers before you send more.`,
    { retryAfterSeconds: 1, extra: { limited: 'in_flight_per_key', limit } },
  )
}

function tooManyOfOrganization(limit: number): Problem {
  return new Problem(
    'overloaded',
    `The organization has ${limit} requests in flight, the maximum. Wait for answers before you send more.`,
    { retryAfterSeconds: 1, extra: { limit } },
  )
}
