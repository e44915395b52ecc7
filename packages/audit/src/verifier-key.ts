import { type Bytes, concatBytes, decodeBase64, toBase64, toHex, utf8 } from './bytes.ts'
import { type HashSteps, runSteps, type Sha256 } from './steps.ts'

/** A public key that verifies signatures of notes. The name is part of the key. */
export interface VerifierKey {
  readonly name: string
  /** Four bytes as hexadecimal digits. They serve to look up the key and prove nothing. */
  readonly id: string
  /** The 32 bytes of the Ed25519 key. */
  readonly publicKey: Bytes
}

/** The only kind of signature that Purser makes and accepts. */
const ED25519 = 0x01
const KIND = Uint8Array.of(ED25519)
const ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
const NAME_LENGTH_MAX = 256
/** A space or a plus would end the name early; the other characters are invisible. */
const NOT_IN_NAMES = /[\p{White_Space}\p{Cc}\p{Cf}\p{Surrogate}+]/u
const KEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/

/** Returns undefined unless the name is valid and the key has the length of an Ed25519 key. */
export function makeVerifierKey(
  name: string,
  publicKey: Uint8Array,
  sha256: Sha256,
): VerifierKey | undefined {
  if (!isKeyName(name) || publicKey.length !== PUBLIC_KEY_BYTES) return undefined
  return runSteps(namedKeySteps(name, Uint8Array.from(publicKey)), sha256)
}

/** The text form of a key: `<name>+<id>+<base64 of the kind and the key>`. */
export function toVerifierKeyText({ name, id, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(concatBytes(KIND, publicKey))}`
}

/** Reads the text of a key; `verifierKeySteps` says how. */
export function parseVerifierKey(text: string, sha256: Sha256): VerifierKey | undefined {
  return runSteps(verifierKeySteps(text), sha256)
}

/** Returns undefined unless the text is an Ed25519 key whose id matches its name and its bytes. */
export function* verifierKeySteps(text: string): HashSteps<VerifierKey | undefined> {
  const [, name = '', id, encoded = ''] = KEY.exec(text) ?? []
  const bytes = decodeBase64(encoded)
  if (!isKeyName(name) || bytes?.length !== 1 + PUBLIC_KEY_BYTES) return undefined
  if (bytes[0] !== ED25519) return undefined
  const key = yield* namedKeySteps(name, bytes.slice(1))
  return key.id === id ? key : undefined
}

export function isKeyName(name: string): boolean {
  return name.length > 0 && name.length <= NAME_LENGTH_MAX && !NOT_IN_NAMES.test(name)
}

function* namedKeySteps(name: string, publicKey: Bytes): HashSteps<VerifierKey> {
  const hash = yield concatBytes(utf8(`${name}\n`), KIND, publicKey)
  return { name, id: toHex(hash.subarray(0, ID_BYTES)), publicKey }
}
