import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { hasScope, type Scope } from '../../core/api-key.ts'
import type { Principal } from '../../core/principal.ts'
import type { StoredKey } from '../../storage/api-keys.ts'
import type { LastUse } from '../../storage/last-use.ts'
import { type GivenKey, parseApiKey } from '../../storage/secrets/api-key-secret.ts'
import {
  authenticateMember,
  type MemberAuthentication,
  readGivenSession,
} from './authenticate-member.ts'
import type { KeyCache } from './key-cache.ts'

/** The hash to compare with if there is no such key. */
const NO_HASH = Buffer.alloc(32)

export interface KeyAuthentication
  extends Pick<MemberAuthentication, 'rateLimit' | 'inFlight' | 'now'> {
  readonly keys: KeyCache
  readonly keyUse: LastUse
  readonly keyKind: 'live' | 'test'
}

export interface Authentication extends KeyAuthentication, MemberAuthentication {}

/**
 * Sets `request.principal` and `request.organizationId`, or refuses. It runs before the body is
 * read. It waits only for a key or session that is not cached, or for its organization's turn.
 */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Authentication,
): Promise<void> | undefined {
  const { authorization, cookie } = request.headers
  // A key takes precedence over a session, so requests with a key never pay for parsing a cookie.
  if (authorization !== undefined) return authenticateKey(request, reply, parts)
  const session = cookie === undefined ? undefined : readGivenSession(request, parts)
  if (session !== undefined) return authenticateMember(request, reply, parts, session)
  throw unauthenticated(
    `${HOW} Or sign in at POST /console/api/sign-in and send its cookie. The request has neither an Authorization header nor a session cookie.`,
  )
}

/** The same for endpoints that accept only keys. */
export function authenticateKey(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: KeyAuthentication,
): Promise<void> | undefined {
  const given = readGiven(request)
  const found = parts.keys.find(given.publicId)
  if (!(found instanceof Promise)) return admit(request, reply, parts, given, found)
  return found.then((stored) => admit(request, reply, parts, given, stored))
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyUse, keyKind, rateLimit, inFlight, now }: KeyAuthentication,
  given: GivenKey,
  stored: StoredKey | undefined,
): Promise<void> | undefined {
  // Compares even if there is no such key: an unknown key and a wrong secret take the same steps.
  const isMatch = timingSafeEqual(given.hash, stored?.hash ?? NO_HASH)
  const key = stored?.key
  if (!isMatch || !key || (key.expiresAt !== null && key.expiresAt <= now())) {
    throw notAKeyOfOurs(given, keyKind)
  }
  request.principal = key
  request.organizationId = key.organizationId
  request.plan = stored.terms.plan
  request.timezone = stored.terms.timezone
  const { isUnlimited } = request.routeOptions.config
  if (!isUnlimited) rateLimit(request, reply)
  authorize(request, key)
  keyUse.note(key.organizationId, key.id)
  return isUnlimited ? undefined : inFlight(request, reply)
}

/** The key that the request carries, whether or not it exists. */
function readGiven({ raw, headers }: FastifyRequest): GivenKey {
  const { authorization = '' } = headers
  // Node keeps the first of several headers, but a proxy in front of us may have checked the last.
  if (hasSeveral(raw.rawHeaders)) {
    throw unauthenticated('The request has several Authorization headers. Send one.')
  }
  const before = lastGiven.get(raw.socket)
  if (before?.authorization === authorization) return before.given
  const given = parseGiven(authorization)
  lastGiven.set(raw.socket, { authorization, given })
  return given
}

/**
 * The parsed key of each connection's last request. Nearly all requests of a connection carry the
 * same key, and splitting, checking and hashing it costs more than the rest of the authentication.
 * The entry is dropped with the connection, so a key is in memory only while one of its clients is
 * connected. Only the whole header is compared.
 */
const lastGiven = new WeakMap<
  Socket,
  { readonly authorization: string; readonly given: GivenKey }
>()

function parseGiven(authorization: string): GivenKey {
  if (authorization === '') throw unauthenticated(`${HOW} The request has no Authorization header.`)
  if (!/^Bearer /i.test(authorization)) {
    throw unauthenticated(`${HOW} The header does not begin with "Bearer ".`)
  }
  const [, token = ''] = /^.{7}([\x21-\x7e]{1,200})$/.exec(authorization) ?? []
  const given = parseApiKey(token)
  if (given) return given
  throw unauthenticated(
    'The text after "Bearer " is not a complete API key: it is mistyped or truncated.',
  )
}

const HOW = 'Send an API key as "Authorization: Bearer psr_…".'
const HEADER = 'authorization'

/** Names and values alternate. Almost no other header name has this length. */
function hasSeveral(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HEADER.length && name.toLowerCase() === HEADER) count += 1
  }
  return count > 1
}

/**
 * The message must not reveal whether the key is unknown or the secret is wrong. The kind is part
 * of the key that was sent, so naming it reveals nothing about stored keys.
 */
function notAKeyOfOurs({ publicId }: GivenKey, keyKind: 'live' | 'test'): Problem {
  const given = publicId.startsWith('psr_live_') ? 'live' : 'test'
  if (given === keyKind) {
    return unauthenticated(
      'The API key is unknown: it is revoked or expired, or belongs to another installation.',
    )
  }
  return unauthenticated(
    `The API key is a ${given} key (psr_${given}_…) that is unknown here: this is a ${keyKind} installation, whose keys begin with psr_${keyKind}_.`,
  )
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail)
}

function authorize(request: FastifyRequest, key: Principal): void {
  const { scope, boundScope, agentKeys } = request.routeOptions.config
  // This check comes first, because no scope would help such a key.
  if (key.agentIds !== null && agentKeys !== 'allowed') {
    throw new Problem(
      'agent_bound_key',
      'An API key that is bound to agents cannot do this. Use a key that is not bound to agents.',
    )
  }
  if (scope !== undefined && !hasScope(key, scope) && !hasBoundScope(key, boundScope)) {
    throw new Problem(
      'insufficient_scope',
      `This requires the scope ${scope}, which the API key does not have.`,
      {
        extra: { requiredScope: scope },
      },
    )
  }
}

function hasBoundScope(key: Principal, scope: Scope | undefined): boolean {
  return scope !== undefined && key.agentIds !== null && hasScope(key, scope)
}
