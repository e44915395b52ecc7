/**
 * What merchants write is stored and handed on, and never believed or rendered. These functions see
 * to it that it has bounds, and that every database and every JSON can hold it.
 */

const ID_MAX = 256
const TEXT_MAX = 200
const URL_MAX = 2_048
const DOCUMENT_MAX = 8_192
const DOCUMENT_DEPTH_MAX = 16

/** Control characters, and halves of surrogate pairs. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u
const EVERY_UNSTORABLE = /[\p{Cc}\p{Cs}]/gu

/** A code such as payment_declined, as all versions of the protocol spell them. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object, and none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The entries of a list, as far as the bound reaches, and none of anything else. */
export function entriesOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}

/** An identifier as it came. One that would have to be cut or cleaned names something else. */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > ID_MAX) return null
  return UNSTORABLE.test(value) ? null : value
}

/** An id that is a part of an address, and leads to another address instead. */
export function isPathStep(id: string): boolean {
  return id === '.' || id === '..'
}

/** A text for people, cut and cleaned. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.slice(0, TEXT_MAX).replace(EVERY_UNSTORABLE, ' ').trim()
  return text === '' ? null : text
}

export function readCode(value: unknown): string | null {
  return typeof value === 'string' && CODE.test(value) ? value : null
}

/** A web address. Whoever follows a link must not run a script by it. */
export function readUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > URL_MAX || !URL.canParse(value)) return null
  const { protocol, href } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

/** An object that is handed on as it came. One that is too large, or cannot be stored, is not. */
export function readDocument(value: unknown): object | null {
  if (!isFields(value)) return null
  return spaceLeft(value, DOCUMENT_MAX, DOCUMENT_DEPTH_MAX) < 0 ? null : value
}

/** What is left of so many characters once this is written, or less than 0. */
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
