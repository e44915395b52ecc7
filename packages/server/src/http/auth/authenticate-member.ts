import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { hasScope } from '../../core/api-key.ts'
import type { MemberPrincipal } from '../../core/people/member-principal.ts'
import { managesPeople, scopesOf } from '../../core/people/role.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { LastUse } from '../../storage/last-use.ts'
import type { StoredSession } from '../../storage/people/sessions.ts'
import { type GivenSession, parseSession } from '../../storage/secrets/session-secret.ts'
import type { InFlight } from '../limits/in-flight.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { requireReauthentication } from './reauthentication.ts'
import { requireSameOrigin } from './same-origin.ts'
import { endOfSession, type SessionCache } from './session-cache.ts'
import { type CookieSettings, readSessionCookie } from './session-cookie.ts'

/** The hash to compare with if there is no such session. */
const NO_HASH = Buffer.alloc(32)

export interface MemberAuthentication {
  readonly rateLimit: RateLimit
  readonly inFlight: InFlight
  readonly sessions: SessionCache
  readonly sessionUse: LastUse
  readonly cookies: CookieSettings
  readonly now: () => number
}

/** The session that the request carries, whether or not it exists. */
export function readGivenSession(
  request: FastifyRequest,
  { cookies }: Pick<MemberAuthentication, 'cookies'>,
): GivenSession | undefined {
  const token = readSessionCookie(request, cookies)
  return token === undefined ? undefined : parseSession(token)
}

/**
 * Sets `request.principal` and `request.organizationId` to the signed-in member, or refuses. Like
 * `authenticate`, it runs before the body is read, and mostly without waiting.
 */
export function authenticateMember(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: MemberAuthentication,
  given: GivenSession,
): Promise<void> | undefined {
  const found = parts.sessions.find(given.publicId)
  if (!(found instanceof Promise)) return admit(request, reply, parts, given, found)
  return found.then((stored) => admit(request, reply, parts, given, stored))
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { sessionUse, rateLimit, inFlight, cookies, now }: MemberAuthentication,
  given: GivenSession,
  stored: StoredSession | undefined,
): Promise<void> | undefined {
  const isMatch = timingSafeEqual(given.hash, stored?.hash ?? NO_HASH)
  if (!isMatch || !stored || endOfSession(stored) <= now()) throw sessionEnded()
  // A foreign page learns nothing about the member, not even that there is one.
  requireSameOrigin(request, cookies)
  const principal = toPrincipal(stored)
  request.principal = principal
  request.organizationId = principal.organizationId
  request.plan = stored.terms.plan
  request.timezone = stored.terms.timezone
  const { isUnlimited } = request.routeOptions.config
  if (!isUnlimited) rateLimit(request, reply)
  authorize(request, principal, now())
  sessionUse.note(principal.organizationId, principal.sessionId)
  return isUnlimited ? undefined : inFlight(request, reply)
}

function authorize({ routeOptions }: FastifyRequest, member: MemberPrincipal, now: Instant): void {
  const { scope, access, sensitive } = routeOptions.config
  if (scope !== undefined && !hasScope(member, scope)) {
    throw new Problem(
      'insufficient_scope',
      `This requires the scope ${scope}, which the role ${member.role} does not have.`,
      { extra: { requiredScope: scope } },
    )
  }
  if (access === 'managers' && !managesPeople(member.role)) {
    throw new Problem(
      'insufficient_role',
      `The role ${member.role} cannot manage people. Owners and admins can.`,
    )
  }
  if (sensitive === true) requireReauthentication(member, now)
}

function toPrincipal(stored: StoredSession): MemberPrincipal {
  const { session, member } = stored
  return {
    kind: 'member',
    id: session.memberId,
    organizationId: session.organizationId,
    prefix: session.publicId,
    scopes: scopesOf(member.role),
    agentIds: null,
    // A key that the member creates may outlive the session.
    expiresAt: null,
    role: member.role,
    email: member.email,
    name: member.name,
    sessionId: session.id,
    reauthenticatedAt: session.reauthenticatedAt,
  }
}

/** The message must not reveal whether the session is unknown, has ended, or the secret is wrong. */
export function sessionEnded(): Problem {
  return new Problem('unauthenticated', 'The session has ended. Sign in again.')
}
