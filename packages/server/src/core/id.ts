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
  | 'whe'
  | 'org'
  | 'mtk'
  | 'mem'
  | 'chg'
  | 'inv'
  | 'ses'
  | 'sgn'
  | 'psk'

const UUID_DIGITS = /^[0-9a-f]{32}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The largest number of twelve bits. */
export const COUNT_MAX = 0xfff

/**
 * Builds a version 7 UUID (RFC 9562, 5.7). The instant comes first, so that later ids sort later and
 * stay together in an index. A counter within the millisecond follows, and the rest is that of a random
 * UUID (version 4), which has the same variant.
 */
export function uuidV7(at: Instant, count: number, random: string): string {
  assert(Number.isSafeInteger(at) && at >= 0 && at < 2 ** 48, 'the instant fits into 48 bits')
  assert(count >= 0 && count <= COUNT_MAX, 'the count fits into twelve bits')
  assert(random.length === 36, 'a version 7 UUID takes a random UUID')
  // In two parts, because formatting a number of more than 32 bits takes four times as long.
  return `${digitsOf(Math.floor(at / 0x10000), 8)}-${digitsOf(at % 0x10000, 4)}-7${digitsOf(count, 3)}${random.slice(18)}`
}

function digitsOf(number: number, length: number): string {
  return number.toString(16).padStart(length, '0')
}

/** The instant at the beginning of a version 7 UUID. */
export function instantOf(uuid: string): Instant {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

/** The API's form of an id: a prefix for the kind of thing, then the UUID without dashes. */
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

/** The smallest id of an instant: ids of this instant or later are not smaller. */
export function idAt(instant: Instant): string {
  const hex = Math.max(0, instant).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
