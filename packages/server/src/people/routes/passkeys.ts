import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { toUserHandle } from '../../core/people/user-handle.ts'
import type { App } from '../../http/app.ts'
import { fromPublicId, Name } from '../../http/document/schemas.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import { newId } from '../../storage/new-id.ts'
import { getOrganization } from '../../storage/organizations.ts'
import {
  insertPasskey,
  listPasskeys,
  lockPasskey,
  removePasskey,
  renamePasskey,
  type Passkey as StoredPasskey,
} from '../../storage/people/passkeys.ts'
import { lockOwnAccess } from '../manage.ts'
import { issueChallenge, takeChallenge } from '../passkey-challenges.ts'
import { passkeyChangeOf } from '../people-changes.ts'
import { challengeOf, type NewKey, verifyRegistration } from '../verify-passkey.ts'
import { type ConsoleParts, passkeyPlaceOf, signedIn } from './console-parts.ts'
import {
  CreationOptions,
  NewCredential,
  Passkey,
  PasskeyId,
  toCreationOptions,
  toPasskeyShape,
} from './passkey-shape.ts'

/** More devices than one person uses. */
export const PASSKEYS_MAX = 20

const NewPasskey = Type.Object(
  { name: Name, credential: NewCredential },
  { additionalProperties: false },
)
const PasskeyPath = Type.Object({ id: PasskeyId })

/** A member's own passkeys. They are few, so the list has no pages. */
export function passkeyRoutes(app: App, parts: ConsoleParts): void {
  const { db, clock, now } = parts

  app.route({
    method: 'GET',
    url: '/passkeys',
    schema: {
      operationId: 'listPasskeys',
      response: { 200: Type.Object({ data: Type.Array(Passkey) }) },
    },
    handler: async (request) => {
      const { organizationId, id: memberId } = signedIn(request)
      const passkeys = await listPasskeys(db, { organizationId, memberId })
      return { data: passkeys.map(toPasskeyShape) }
    },
  })

  app.route({
    method: 'POST',
    url: '/passkeys/register-options',
    schema: { operationId: 'getPasskeyOptions', response: { 200: CreationOptions } },
    config: { sensitive: true, problems: ['passkeys_unavailable', 'passkey_limit_reached'] },
    handler: async (request) => {
      const { host } = passkeyPlaceOf(request, parts)
      const { organizationId, id: memberId, email, name } = signedIn(request)
      const owner = { organizationId, memberId }
      const [organization, existing] = await Promise.all([
        getOrganization(db, organizationId),
        listPasskeys(db, owner),
      ])
      requireRoom(existing)
      // A browser lists passkeys by this name, and a person may be in several organizations.
      const shown = `${email} (${organization.name})`
      const user = { id: toUserHandle(owner), name: shown, displayName: name }
      const challenge = issueChallenge(parts, `register ${memberId}`, now())
      return toCreationOptions({ challenge, host, user, existing })
    },
  })

  app.route({
    method: 'POST',
    url: '/passkeys/register',
    schema: { operationId: 'registerPasskey', body: NewPasskey, response: { 200: Passkey } },
    config: {
      sensitive: true,
      problems: ['passkeys_unavailable', 'passkey_limit_reached', 'passkey_refused'],
    },
    handler: async (request) => {
      const place = passkeyPlaceOf(request, parts)
      const member = signedIn(request)
      const { organizationId, id: memberId } = member
      const { name, credential } = request.body
      const challenge = challengeOf(credential)
      const isIssued = await takeChallenge(
        parts,
        challenge,
        `register ${memberId}`,
        await clock(db),
      )
      const key = isIssued && (await verifyRegistration(credential, { challenge, place }))
      if (!key) throw passkeyRefused()
      const owner = { organizationId, memberId }
      const transports = credential.response.transports ?? []
      return recordedTransaction(db, request, async (tx, record) => {
        const at = await lockOwnAccess(tx, clock, member)
        requireRoom(await listPasskeys(tx, owner))
        const passkey = toPasskey(key, { name, transports }, at)
        if (!(await insertPasskey(tx, owner, passkey))) throw passkeyRefused()
        record(passkeyChangeOf(member, { before: undefined, after: passkey }, at))
        return toPasskeyShape(passkey)
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/passkeys/:id',
    schema: {
      operationId: 'renamePasskey',
      params: PasskeyPath,
      body: Type.Object({ name: Name }, { additionalProperties: false }),
      response: { 200: Passkey },
    },
    config: { problems: ['passkey_not_found'] },
    handler: (request) => {
      const member = signedIn(request)
      const { organizationId, id: memberId } = member
      const { name } = request.body
      return recordedTransaction(db, request, async (tx, record) => {
        const id = fromPublicId('psk', request.params.id)
        const [before, at] = await Promise.all([
          lockPasskey(tx, { organizationId, memberId }, id),
          clock(tx),
        ])
        if (!before) throw passkeyNotFound(request.params.id)
        const after = { ...before, name }
        renamePasskey(tx, organizationId, id, name)
        record(passkeyChangeOf(member, { before, after }, at))
        return toPasskeyShape(after)
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/passkeys/:id',
    schema: {
      operationId: 'removePasskey',
      params: PasskeyPath,
      response: { 200: Type.Object({ id: PasskeyId, removed: Type.Literal(true) }) },
    },
    config: { problems: ['passkey_not_found'] },
    handler: async (request) => {
      const member = signedIn(request)
      const { organizationId, id: memberId } = member
      const { id } = request.params
      await recordedTransaction(db, request, async (tx, record) => {
        const [before, at] = await Promise.all([
          lockPasskey(tx, { organizationId, memberId }, fromPublicId('psk', id)),
          clock(tx),
        ])
        if (!before) throw passkeyNotFound(id)
        removePasskey(tx, organizationId, before.id)
        record(passkeyChangeOf(member, { before, after: undefined }, at))
      })
      return { id, removed: true as const }
    },
  })
}

function toPasskey(
  key: NewKey,
  { name, transports }: Pick<StoredPasskey, 'name' | 'transports'>,
  now: number,
): StoredPasskey {
  return { id: newId(now), ...key, name, transports, createdAt: now, lastUsedAt: null }
}

function requireRoom(existing: readonly StoredPasskey[]): void {
  if (existing.length < PASSKEYS_MAX) return
  throw new Problem(
    'passkey_limit_reached',
    `You have ${PASSKEYS_MAX} passkeys, and no more are possible. Remove one first.`,
  )
}

function passkeyRefused(): Problem {
  return new Problem(
    'passkey_refused',
    'The answer of the browser does not fit the request: it took longer than five minutes, was sent twice, came from a page at a different address, or contains a certificate. Get new options and try again.',
  )
}

function passkeyNotFound(id: string): Problem {
  return new Problem('passkey_not_found', `Passkey ${id} does not exist or is not yours.`)
}
