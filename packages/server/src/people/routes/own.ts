import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import { sessionEnded } from '../../http/auth/authenticate-member.ts'
import { clearSessionCookie, setSessionCookie } from '../../http/auth/session-cookie.ts'
import { Name } from '../../http/document/schemas.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { repeatedTransaction } from '../../storage/engine/repeated-transaction.ts'
import { newId } from '../../storage/new-id.ts'
import { findMember, updateMember } from '../../storage/people/members.ts'
import { endSession, endSessions, renewSession } from '../../storage/people/session-ends.ts'
import { notePasswordUse, storePassword } from '../../storage/people/sign-in-names.ts'
import { mintSession } from '../../storage/secrets/session-secret.ts'
import { checkPassword } from '../accept.ts'
import { memberNotFound } from '../manage.ts'
import { SESSION_MS } from '../open-session.ts'
import { ownChangeOf } from '../people-changes.ts'
import { proveAgain, wrongPassword } from '../sign-in.ts'
import { notePasskey, provePasskeyAgain } from '../sign-in-with-passkey.ts'
import { type ConsoleParts, passkeyPlaceOf, signedIn } from './console-parts.ts'
import { Me, readMe } from './me.ts'
import { UsedCredential } from './passkey-shape.ts'
import { Password, requireOne } from './shape.ts'

const Reauthentication = Type.Object(
  { password: Type.Optional(Password), credential: Type.Optional(UsedCredential) },
  { additionalProperties: false },
)

const OwnChange = Type.Object(
  {
    name: Type.Optional(Name),
    currentPassword: Type.Optional(Password),
    newPassword: Type.Optional(Password),
  },
  { additionalProperties: false, minProperties: 1 },
)

const SignedOut = Type.Object({ signedOut: Type.Literal(true) })

/** The endpoints for a member's own account. */
export function ownRoutes(app: App, parts: ConsoleParts): void {
  const { db, clock, cookies, passwords, clientAddress } = parts

  /** Checks the password or passkey. Returns the step that stores its use, if it is still valid. */
  async function prove(
    request: FastifyRequest,
    { password, credential }: Static<typeof Reauthentication>,
  ): Promise<(tx: Tx, now: Instant) => Promise<boolean>> {
    const member = signedIn(request)
    const owner = { organizationId: member.organizationId, memberId: member.id }
    const address = clientAddress(request)
    requireOne({ password, credential })
    if (credential === undefined) {
      const given = { password: password ?? '', address }
      const { secret } = await proveAgain(parts, member, given)
      return (tx, now) => notePasswordUse(tx, owner, secret, now)
    }
    const place = passkeyPlaceOf(request, parts)
    const proven = await provePasskeyAgain(parts, member, { credential, place, address })
    return (tx, now) => notePasskey(tx, owner, proven, now)
  }

  app.route({
    method: 'GET',
    url: '/me',
    schema: { operationId: 'getMe', response: { 200: Me } },
    config: { problems: ['member_not_found'] },
    handler: ({ organizationId, principal }) =>
      readMe(db, { organizationId, memberId: principal.id }),
  })

  app.route({
    method: 'POST',
    url: '/sign-out',
    schema: { operationId: 'signOut', response: { 200: SignedOut } },
    handler: async (request, reply) => {
      const { organizationId, id: memberId, sessionId } = signedIn(request)
      await endSession(db, { organizationId, memberId }, sessionId)
      clearSessionCookie(request, reply, cookies)
      return { signedOut: true as const }
    },
  })

  app.route({
    method: 'POST',
    url: '/reauthenticate',
    schema: { operationId: 'reauthenticate', body: Reauthentication, response: { 200: Me } },
    config: { problems: ['wrong_credentials', 'member_not_found', 'passkeys_unavailable'] },
    handler: async (request, reply) => {
      const member = signedIn(request)
      const { organizationId, id: memberId, sessionId, prefix } = member
      const noteUse = await prove(request, request.body)
      const fresh = mintSession()
      await repeatedTransaction(db, organizationId, async (tx) => {
        const now = await clock(tx)
        if (!(await noteUse(tx, now))) throw wrongPassword()
        const session = { organizationId, id: sessionId, publicId: prefix }
        if (!(await renewSession(tx, session, fresh, now))) throw sessionEnded()
      })
      setSessionCookie(request, reply, cookies, { token: fresh.token, maxAgeMs: SESSION_MS })
      return readMe(db, { organizationId, memberId })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/me',
    schema: { operationId: 'updateMe', body: OwnChange, response: { 200: Me } },
    config: { problems: ['wrong_credentials', 'member_not_found'] },
    handler: async (request, reply) => {
      const member = signedIn(request)
      const { organizationId, id: memberId, email, sessionId, prefix } = member
      const { name, currentPassword, newPassword } = request.body
      const isGiven = readPasswords(currentPassword, newPassword)
      if (isGiven) {
        const { next: password } = isGiven
        await checkPassword(passwords, { password, email, path: '/newPassword' })
      }
      const address = clientAddress(request)
      const given = isGiven && { password: isGiven.current, address }
      const proven = given && (await proveAgain(parts, member, given))
      const next = proven && (await passwords.hash(isGiven.next, proven.salt))
      const fresh = mintSession()
      const owner = { organizationId, memberId }
      await recordedTransaction(db, request, async (tx, record) => {
        const [before, now] = await Promise.all([
          findMember(tx, organizationId, memberId),
          clock(tx),
        ])
        const after = await updateMember(tx, organizationId, memberId, { name }, now)
        // The member was removed before, or while this request waited for the row.
        if (!before || !after) throw memberNotFound(memberId)
        record(ownChangeOf(before, { name, password: next }, now))
        if (next === undefined) return
        const session = { organizationId, id: sessionId, publicId: prefix }
        if (!(await renewSession(tx, session, fresh, now))) throw sessionEnded()
        await storePassword(tx, owner, { id: newId(now), secret: next }, now)
        // Ends the other sessions: anyone who knew the old password or had a browser open is signed
        // out.
        await endSessions(tx, owner, { kept: 0, except: sessionId })
      })
      if (next !== undefined) {
        setSessionCookie(request, reply, cookies, { token: fresh.token, maxAgeMs: SESSION_MS })
      }
      return readMe(db, owner)
    },
  })
}

function readPasswords(
  current: string | undefined,
  next: string | undefined,
): { readonly current: string; readonly next: string } | undefined {
  if (current === undefined && next === undefined) return undefined
  if (current !== undefined && next !== undefined) return { current, next }
  const path = current === undefined ? '/currentPassword' : '/newPassword'
  throw invalidFields([{ path, code: 'required', message: 'is required to change the password' }])
}
