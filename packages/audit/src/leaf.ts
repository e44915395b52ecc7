import { type Bytes, concatBytes, toHex, utf8 } from './bytes.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { type Hash, parseHash } from './hash.ts'
import type { Sha256 } from './steps.ts'

/**
 * The record of one event or change, kept for as long as the audit log exists. It contains no
 * personal data: names and addresses are in the payload, and the leaf holds only a commitment to
 * it.
 */
export interface Leaf {
  readonly version: 1
  /** The kind of event or change, such as `transaction.approved`. */
  readonly kind: string
  /** The id of the resource that it is about. */
  readonly subject: string
  /** The time, in the API's format for instants. */
  readonly at: string
  /** The id of the key or person who acted. Null if there was none. */
  readonly actorId: string | null
  /** Hexadecimal digits. */
  readonly commitment: string
}

export type LeafSubject = Pick<Leaf, 'kind' | 'subject' | 'at' | 'actorId'>

export const SALT_BYTES = 16

const FIELDS = ['actorId', 'at', 'commitment', 'kind', 'subject', 'version']
const KIND = /^[a-z][a-z0-9_.]{0,63}$/
const ID = /^[\x21-\x7e]{1,128}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Binds a leaf to a payload without revealing the payload. The salt is random: without it, a reader
 * who guesses the payload (most have few possible values) could prove the guess, even after the
 * payload was removed. Returns undefined if the payload is not JSON.
 */
export function commitTo(payload: unknown, salt: Uint8Array, sha256: Sha256): string | undefined {
  const bytes = commitmentBytes(payload, salt)
  return bytes && toHex(sha256(bytes))
}

/** The bytes that are hashed for the commitment: the salt, then the canonical text of the payload. */
export function commitmentBytes(payload: unknown, salt: Uint8Array): Bytes | undefined {
  const text = toCanonicalJson(payload)
  if (text === undefined || salt.length !== SALT_BYTES) return undefined
  return concatBytes(salt, utf8(text))
}

/** Returns undefined if a field or the payload is not valid for a leaf. */
export function makeLeaf(
  { kind, subject, at, actorId }: LeafSubject,
  payload: unknown,
  salt: Uint8Array,
  sha256: Sha256,
): Leaf | undefined {
  const commitment = commitTo(payload, salt, sha256)
  return parseLeaf({ version: 1, kind, subject, at, actorId, commitment })
}

/** The hash of the leaf in the tree. It depends only on the leaf's canonical text. */
export function hashOfLeaf(leaf: Leaf, sha256: Sha256): Hash {
  return sha256(leafBytes(leaf))
}

/**
 * The bytes that are hashed for a leaf. The leading zero differs from the first byte of an inner
 * node, so that neither can pass for the other (RFC 6962, 2.1).
 */
export function leafBytes(leaf: Leaf): Bytes {
  // A leaf was validated, so it has a canonical text.
  return utf8(`\0${toCanonicalJson(leaf) ?? ''}`)
}

/** Accepts exactly the fields of a leaf, since the hash covers all of them. */
export function parseLeaf(value: unknown): Leaf | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.keys(value).sort().join() !== FIELDS.join()) return undefined
  const { version, kind, subject, at, actorId, commitment } = value as Record<string, unknown>
  if (version !== 1 || !isText(kind, KIND) || !isText(subject, ID) || !isInstant(at))
    return undefined
  if (actorId !== null && !isText(actorId, ID)) return undefined
  if (typeof commitment !== 'string' || !parseHash(commitment)) return undefined
  return { version, kind, subject, at, actorId, commitment }
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Accepts only the spelling that we write: a different one would change the hash of the leaf. */
function isInstant(value: unknown): value is string {
  if (!isText(value, INSTANT)) return false
  const instant = Date.parse(value)
  return !Number.isNaN(instant) && new Date(instant).toISOString() === value
}
