import assert from 'node:assert/strict'
import type { Instant } from './time.ts'

export type IdPrefix =
  | 'mnd'
  | 'txn'
  | 'apr'
  | 'card'
  | 'conn'
  | 'wal'
  | 'ven'
  | 'key'
  | 'evt'
  | 'dlv'
  | 'org'

const UUID_DIGITS = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/**
 * A version 7 UUID (RFC 9562, 5.7): the instant first, so that ids made later sort later and stay
 * together in an index; then randomness. Ids made within one millisecond have no order.
 */
export function uuidV7(at: Instant, random: Uint8Array): string {
  assert(random.length === 10, 'a version 7 UUID takes ten random bytes')
  assert(Number.isSafeInteger(at) && at >= 0 && at < 2 ** 48, 'the instant fits into 48 bits')

  const [first = 0, , third = 0] = random
  const bytes = Uint8Array.from(random)
  bytes[0] = 0x70 | (first & 0x0f)
  bytes[2] = 0x80 | (third & 0x3f)
  return withDashes(at.toString(16).padStart(12, '0') + toHex(bytes))
}

/** What the API shows for an id: the kind of thing it names, then its UUID without the dashes. */
export function toPublicId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`
}

/** Undefined when the text is not an id of this kind; nothing but the exact spelling is accepted. */
export function toUuid(prefix: IdPrefix, publicId: string): string | undefined {
  if (!publicId.startsWith(`${prefix}_`)) return undefined
  const digits = publicId.slice(prefix.length + 1)
  return UUID_DIGITS.test(digits) ? withDashes(digits) : undefined
}

/** The source of a regular expression, for the JSON schema of an id. */
export function publicIdPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-f]{32}$`
}

function withDashes(digits: string): string {
  return digits.replace(UUID_DIGITS, '$1-$2-$3-$4-$5')
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
