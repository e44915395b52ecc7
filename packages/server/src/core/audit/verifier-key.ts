import { createPublicKey, type KeyObject } from 'node:crypto'
import { decodeBase64 } from './base64.ts'
import { sha256 } from './hash.ts'

/** A public key that signatures of notes are verified with. The name belongs to it. */
export interface VerifierKey {
  readonly name: string
  /** Four bytes in hexadecimal digits. They find the key and prove nothing. */
  readonly id: string
  readonly publicKey: KeyObject
}

/** The one kind of signature that we make and take: Ed25519. */
const ED25519 = 0x01
const PUBLIC_KEY_BYTES = 32
const NAME_LENGTH_MAX = 256
/** A space or a plus would end the name somewhere else; the others would be seen by nobody. */
const NOT_IN_NAMES = /[\p{White_Space}\p{Cc}\p{Cf}\p{Surrogate}+]/u
const KEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/

/** Undefined unless the name may be one and the key is an Ed25519 key, public or private. */
export function toVerifierKey(name: string, key: KeyObject): VerifierKey | undefined {
  if (!isKeyName(name) || key.asymmetricKeyType !== 'ed25519') return undefined
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return fromBytes(name, Buffer.from(x ?? '', 'base64url'))
}

/** The text in which a key is handed on: `<name>+<id>+<base64 of the kind and the key>`. */
export function toVerifierKeyText({ name, id, publicKey }: VerifierKey): string {
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.of(ED25519), Buffer.from(x, 'base64url')])
  return `${name}+${id}+${bytes.toString('base64')}`
}

/** Undefined unless it is a key of the one kind, and its id follows from name and key. */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const [, name = '', id, encoded = ''] = KEY.exec(text) ?? []
  const bytes = decodeBase64(encoded)
  if (!isKeyName(name) || bytes?.length !== 1 + PUBLIC_KEY_BYTES) return undefined
  if (bytes[0] !== ED25519) return undefined
  const key = fromBytes(name, bytes.subarray(1))
  return key.id === id ? key : undefined
}

export function isKeyName(name: string): boolean {
  return name.length > 0 && name.length <= NAME_LENGTH_MAX && !NOT_IN_NAMES.test(name)
}

function fromBytes(name: string, bytes: Buffer): VerifierKey {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  const id = sha256(Buffer.from(`${name}\n`), Buffer.of(ED25519), bytes).toString('hex', 0, 4)
  return { name, id, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }
}
