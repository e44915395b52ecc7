import { parseUrl } from '../../../base/parse-url.ts'

/**
 * Texts of merchants are stored and passed on, and never trusted or rendered. These functions limit
 * their length, and ensure that every database and every JSON parser can hold them.
 */

const ID_MAX = 256
const TEXT_MAX = 200
const URL_MAX = 2_048
const DOCUMENT_MAX = 8_192
const DOCUMENT_DEPTH_MAX = 16

/** Matches control characters, and halves of surrogate pairs. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u
const EVERY_UNSTORABLE = /[\p{Cc}\p{Cs}]/gu

/** Matches a code such as payment_declined, in the spelling of all protocol versions. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/

export type Fields = Readonly<Record<string, unknown>>

/** Returns the fields of an object, and no fields for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the first `max` entries of a list, and none for anything else. */
export function entriesOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}

/**
 * Returns an identifier unchanged. Refuses one that would need cutting or cleaning, because it
 * would then name something else.
 */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > ID_MAX) return null
  return UNSTORABLE.test(value) ? null : value
}

/** Returns whether an id, used in a URL path, would lead to a different URL. */
export function isPathStep(id: string): boolean {
  return id === '.' || id === '..'
}

/** Returns a text for people, cut and cleaned. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.slice(0, TEXT_MAX).replace(EVERY_UNSTORABLE, ' ').trim()
  return text === '' ? null : text
}

export function readCode(value: unknown): string | null {
  return typeof value === 'string' && CODE.test(value) ? value : null
}

/** Returns a web URL. Refuses other schemes, because a link must not run a script. */
export function readUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > URL_MAX) return null
  const url = parseUrl(value)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}

/** Returns an object unchanged, or null if it is too large or cannot be stored. */
export function readDocument(value: unknown): object | null {
  if (!isFields(value)) return null
  return spaceLeft(value, DOCUMENT_MAX, DOCUMENT_DEPTH_MAX) < 0 ? null : value
}

/** Returns the characters that remain of `space` after writing this value, or less than 0. */
function spaceLeft(value: unknown, space: number, depth: number): number {
  if (space < 0 || depth < 0) return -1
  if (typeof value === 'string') return UNSTORABLE.test(value) ? -1 : space - value.length - 3
  if (typeof value !== 'object' || value === null) return space - 20
  let left = space - 2
  for (const [name, field] of Object.entries(value)) {
    left = spaceLeft(field, spaceLeft(name, left, depth - 1), depth - 1)
    if (left < 0) return -1
  }
  return left
}
