import { toCanonicalJson } from '../canonical-json.ts'
import { type Hash, hashLeaf, parseHash, sha256 } from './hash.ts'

/**
 * What the log keeps of one thing that happened, for as long as there is a log. It names nobody:
 * names and addresses stand in the payload, which only the commitment knows.
 */
export interface Leaf {
  readonly version: 1
  /** What happened, such as `transaction.approved`. */
  readonly kind: string
  /** What it happened to: an id. */
  readonly subject: string
  /** When, as the API writes instants. */
  readonly at: string
  /** The id of the key or person who did it. Null where nobody did. */
  readonly actorId: string | null
  /** In hexadecimal digits. */
  readonly commitment: string
}

export type LeafSubject = Pick<Leaf, 'kind' | 'subject' | 'at' | 'actorId'>

export const SALT_BYTES = 16

const FIELDS = ['actorId', 'at', 'commitment', 'kind', 'subject', 'version']
const KIND = /^[a-z][a-z0-9_.]{0,63}$/
const ID = /^[\x21-\x7e]{1,128}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Binds a leaf to a payload without telling it. The salt is random: without it, whoever guesses the
 * payload (most have few possible values) could prove the guess, also after it was removed. Undefined
 * where the payload is no JSON.
 */
export function commitTo(payload: unknown, salt: Uint8Array): string | undefined {
  const text = toCanonicalJson(payload)
  if (text === undefined || salt.length !== SALT_BYTES) return undefined
  return sha256(salt, Buffer.from(text)).toString('hex')
}

/** Undefined where a field or the payload is not what a leaf may hold. */
export function makeLeaf(
  { kind, subject, at, actorId }: LeafSubject,
  payload: unknown,
  salt: Uint8Array,
): Leaf | undefined {
  return parseLeaf({ version: 1, kind, subject, at, actorId, commitment: commitTo(payload, salt) })
}

/** The hash by which the tree knows a leaf: of its one text, so that anybody can compute it. */
export function hashOfLeaf(leaf: Leaf): Hash {
  // A leaf has been checked, so it has a text.
  return hashLeaf(Buffer.from(toCanonicalJson(leaf) ?? ''))
}

/** Takes exactly the fields of a leaf and no other, since the hash covers all of them. */
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

/** Only the spelling that we write: a leaf with another one would have another hash. */
function isInstant(value: unknown): value is string {
  if (!isText(value, INSTANT)) return false
  const instant = Date.parse(value)
  return !Number.isNaN(instant) && new Date(instant).toISOString() === value
}
