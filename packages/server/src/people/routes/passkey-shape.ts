import { type Static, Type } from 'typebox'
import { toPublicId } from '../../core/id.ts'
import { Name, nullable, publicId, Timestamp, toTimestamp } from '../../http/document/schemas.ts'
import type { Passkey as StoredPasskey } from '../../storage/people/passkeys.ts'
import { CHALLENGE_MS } from '../passkey-challenges.ts'
import { ALGORITHMS } from '../verify-passkey.ts'

export const PasskeyId = publicId('psk', 'a passkey')

export const Passkey = Type.Object({
  id: PasskeyId,
  name: Name,
  synced: Type.Boolean({
    description: 'Whether the passkey can be copied to other devices of its owner.',
  }),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
})

export function toPasskeyShape(passkey: StoredPasskey): Static<typeof Passkey> {
  const { id, name, isSynced, createdAt, lastUsedAt } = passkey
  return {
    id: toPublicId('psk', id),
    name,
    synced: isSynced,
    createdAt: toTimestamp(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toTimestamp(lastUsedAt),
  }
}

/** More than 1,023 bytes, the longest credential id, in base64url. */
const ID_MAX = 1_400
const bytes = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: '^[A-Za-z0-9_-]*$' })

/** The fields that both answers of a browser have. Further ones, such as extensions, are ignored. */
const credential = {
  id: bytes(ID_MAX),
  rawId: bytes(ID_MAX),
  type: Type.Literal('public-key'),
}
const clientDataJSON = bytes(4_096)

/** The result of `navigator.credentials.create()`, as its `toJSON()` writes it. */
export const NewCredential = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON,
    attestationObject: bytes(10_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
  }),
})

/** The result of `navigator.credentials.get()`, as its `toJSON()` writes it. */
export const UsedCredential = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON,
    authenticatorData: bytes(4_096),
    signature: bytes(2_048),
    userHandle: Type.Optional(nullable(bytes(128, 0))),
  }),
})

const Descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Array(Type.String()),
})
const Required = Type.Literal('required')

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const CreationOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(
    Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() }),
  ),
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: Type.Object({
    residentKey: Required,
    requireResidentKey: Type.Literal(true),
    userVerification: Required,
  }),
  attestation: Type.Literal('none'),
})

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  allowCredentials: Type.Array(Descriptor),
  userVerification: Required,
})

interface NewPasskeyRequest {
  readonly challenge: string
  readonly host: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  /** The authenticators of these passkeys refuse a second one. */
  readonly existing: readonly StoredPasskey[]
}

/**
 * The passkey must be discoverable, so that a sign-in needs no e-mail address, and its owner must
 * unlock it, because it replaces the password.
 */
export function toCreationOptions({
  challenge,
  host,
  user,
  existing,
}: NewPasskeyRequest): Static<typeof CreationOptions> {
  return {
    challenge,
    rp: { id: host, name: 'Purser' },
    user,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** It lists no passkeys, so the response does not reveal who has one. */
export function toRequestOptions(challenge: string, host: string): Static<typeof RequestOptions> {
  const open = { allowCredentials: [], userVerification: 'required' as const }
  return { challenge, rpId: host, timeout: CHALLENGE_MS, ...open }
}
