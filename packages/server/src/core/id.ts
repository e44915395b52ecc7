import assert from 'node:assert/strict'
import type { Instant } from './time/instant.ts'

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
  | 'mtk'
  | 'mem'
  | 'chg'
  | 'inv'
  | 'ses'

const UUID_DIGITS = /^[0-9a-f]{32}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The variant takes the two upper bits of a digit, and the version all of another. */
const VARIANTS = '89ab'

/**
 * A version 7 UUID (RFC 9562, 5.7) with 20 random hexadecimal digits. The instant comes first, so that
 * later ids sort later and stay together in an index; randomness follows. Ids from the same millisecond
 * have no order.
 */
export function uuidV7(at: Instant, random: string): string {
  assert(random.length === 20, 'a version 7 UUID takes twenty random digits')
  assert(Number.isSafeInteger(at) && at >= 0 && at < 2 ** 48, 'the instant fits into 48 bits')
  const time = at.toString(16).padStart(12, '0')
  const variant = VARIANTS.charAt(Number.parseInt(random.charAt(4), 16) & 3)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`
}

/** The instant that a version 7 UUID begins with. */
export function instantOf(uuid: string): Instant {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

/** What the API shows for an id: the kind of thing it names, then its UUID without the dashes. */
export function toPublicId(prefix: IdPrefix, uuid: string): string {
  const [a, b, c, d] = [uuid.slice(0, 8), uuid.slice(9, 13), uuid.slice(14, 18), uuid.slice(19, 23)]
  return `${prefix}_${a}${b}${c}${d}${uuid.slice(24)}`
}

/** Undefined when the text is not an id of this kind; only the exact spelling is accepted. */
export function toUuid(prefix: IdPrefix, publicId: string): string | undefined {
  if (!publicId.startsWith(`${prefix}_`)) return undefined
  const digits = publicId.slice(prefix.length + 1)
  return UUID_DIGITS.test(digits) ? withDashes(digits) : undefined
}

/** Whether the text is a UUID as the database writes it. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The source of a regular expression, for the JSON schema of an id. */
export function publicIdPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-f]{32}$`
}

function withDashes(digits: string): string {
  const time = `${digits.slice(0, 8)}-${digits.slice(8, 12)}`
  return `${time}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}
