import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { readGivenSession } from '../../http/auth/authenticate-member.ts'
import { setSessionCookie } from '../../http/auth/session-cookie.ts'
import {
  fromPublicId,
  Name,
  nullable,
  publicId,
  Timestamp,
  toTimestamp,
} from '../../http/document/schemas.ts'
import { endSessionOf } from '../../storage/people/session-ends.ts'
import type { Membership } from '../../storage/people/sign-in-names.ts'
import { type Acceptance, accept, type FirstSettings, readLink } from '../accept.ts'
import { type OpenedSession, type Origin, SESSION_MS } from '../open-session.ts'
import { issueChallenge } from '../passkey-challenges.ts'
import { signIn } from '../sign-in.ts'
import { signInWithCode } from '../sign-in-with-code.ts'
import { signInWithPasskey } from '../sign-in-with-passkey.ts'
import { type ConsoleParts, passkeyPlaceOf } from './console-parts.ts'
import { Me, readMe } from './me.ts'
import { RequestOptions, toRequestOptions, UsedCredential } from './passkey-shape.ts'
import { Email, Password, RecoveryCode, RoleName, readEmail, requireOne, Token } from './shape.ts'

const SignIn = Type.Object(
  {
    email: Email,
    password: Type.Optional(Password),
    recoveryCode: Type.Optional(RecoveryCode),
    organizationId: Type.Optional(publicId('org', 'the organization')),
  },
  { additionalProperties: false, examples: [{ email: 'ada@example.com', password: 'a long one' }] },
)

const PasskeySignIn = Type.Object({ credential: UsedCredential }, { additionalProperties: false })

const LinkToken = Type.Object({ token: Token }, { additionalProperties: false })

/** Shown to the holder of the token before the person chooses a password. */
const OpenLink = Type.Object({
  kind: Type.Enum(['invite', 'reset'], { type: 'string' }),
  organization: Type.String({ description: 'The name of the organization.' }),
  createdBy: nullable(
    Type.String({
      description: 'The name of the member who created the link. Null if the operator did.',
    }),
  ),
  email: nullable(Email),
  name: nullable(Name),
  role: RoleName,
  expiresAt: Timestamp,
})

const Accept = Type.Object(
  { token: Token, name: Type.Optional(Name), password: Password },
  { additionalProperties: false },
)

const Setup = Type.Object(
  {
    token: Token,
    email: Email,
    name: Type.Optional(Name),
    password: Password,
    organization: Type.Optional(Name),
    timezone: Type.Optional(Type.String({ format: 'time-zone' })),
    currency: Type.Optional(Type.String({ format: 'currency' })),
  },
  { additionalProperties: false },
)

/** The endpoints for people who have not signed in. */
export function entranceRoutes(app: App, parts: ConsoleParts): void {
  const { db, now, cookies, clientAddress } = parts
  const originOf = (request: FastifyRequest): Origin => ({
    userAgent: request.headers['user-agent'] ?? '',
    address: clientAddress(request),
  })

  /** The new session replaces one that the browser may still have. */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, organizationId, memberId }: OpenedSession & Membership,
  ): Promise<Static<typeof Me>> {
    const before = readGivenSession(request, parts)
    if (before) await endSessionOf(db, before)
    setSessionCookie(request, reply, cookies, { token, maxAgeMs: SESSION_MS })
    return readMe(db, { organizationId, memberId })
  }

  app.route({
    method: 'POST',
    url: '/sign-in',
    schema: { operationId: 'signIn', body: SignIn, response: { 200: Me } },
    config: { access: 'open', problems: ['wrong_credentials', 'organization_required'] },
    handler: async (request, reply) => {
      db.requireRoom?.()
      const { organizationId, password, recoveryCode } = request.body
      const person = {
        email: readEmail(request.body.email),
        organizationId: organizationId && fromPublicId('org', organizationId),
        ...originOf(request),
      }
      requireOne({ password, recoveryCode })
      const opened =
        recoveryCode === undefined
          ? await signIn(parts, { ...person, password: password ?? '' })
          : await signInWithCode(parts, { ...person, recoveryCode })
      return enter(request, reply, opened)
    },
  })

  app.route({
    method: 'POST',
    url: '/session/passkey-options',
    schema: { operationId: 'getSignInOptions', response: { 200: RequestOptions } },
    config: { access: 'open', problems: ['passkeys_unavailable'] },
    handler: (request) => {
      const { host } = passkeyPlaceOf(request, parts)
      return toRequestOptions(issueChallenge(parts, 'sign-in', now()), host)
    },
  })

  app.route({
    method: 'POST',
    url: '/session/passkey',
    schema: { operationId: 'signInWithPasskey', body: PasskeySignIn, response: { 200: Me } },
    config: { access: 'open', problems: ['wrong_credentials', 'passkeys_unavailable'] },
    handler: async (request, reply) => {
      db.requireRoom?.()
      const place = passkeyPlaceOf(request, parts)
      const { credential } = request.body
      const attempt = { credential, place, ...originOf(request) }
      return enter(request, reply, await signInWithPasskey(parts, attempt))
    },
  })

  app.route({
    method: 'POST',
    url: '/link',
    schema: { operationId: 'readLink', body: LinkToken, response: { 200: OpenLink } },
    config: { access: 'open', problems: ['link_ended'] },
    handler: async (request) => {
      const { token } = request.body
      const link = await readLink(parts, { token, address: clientAddress(request) })
      const { kind, email, name, role, expiresAt } = link.invitation
      return {
        kind: kind === 'reset' ? ('reset' as const) : ('invite' as const),
        organization: link.organization,
        createdBy: link.createdBy ?? null,
        ...{ email, name, role, expiresAt: toTimestamp(expiresAt) },
      }
    },
  })

  app.route({
    method: 'POST',
    url: '/accept',
    schema: { operationId: 'acceptInvitation', body: Accept, response: { 200: Me } },
    config: { access: 'open', problems: ['link_ended', 'member_exists'] },
    handler: async (request, reply) => {
      db.requireRoom?.()
      const { token, name, password } = request.body
      const acceptance: Acceptance = {
        ...{ token, name, password, email: undefined },
        ...originOf(request),
      }
      return enter(request, reply, await accept(parts, acceptance))
    },
  })

  app.route({
    method: 'POST',
    url: '/setup',
    schema: { operationId: 'setUp', body: Setup, response: { 200: Me } },
    config: { access: 'open', problems: ['link_ended'] },
    handler: async (request, reply) => {
      db.requireRoom?.()
      const { token, email, name, password } = request.body
      const acceptance: Acceptance = {
        ...{ token, name, password, email: readEmail(email) },
        organization: toFirstSettings(request.body),
        ...originOf(request),
      }
      return enter(request, reply, await accept(parts, acceptance))
    },
  })
}

function toFirstSettings({
  organization: name,
  timezone,
  currency,
}: Static<typeof Setup>): FirstSettings {
  return {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(currency !== undefined && { currency }),
  }
}
