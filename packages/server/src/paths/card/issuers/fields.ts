import { fromMinor } from '../../../core/minor-unit.ts'
import type { Micros } from '../../../core/money.ts'
import { type Instant, LATEST } from '../../../core/time/instant.ts'
import type { Unread } from './issuer.ts'

/**
 * An object of a payload while it is read. An invalid field is noted, and reading continues with an
 * empty value: one check at the end shows whether the result may be used.
 */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>
  /** The path of this object in the payload, for the note. It consists of our own words only. */
  readonly place: string
  readonly notes: { first: string | undefined }
}

/** Far more than any issuer uses; a longer text is not an id. */
const ID_MAX = 255
const SHOWN_MAX = 200
const ENTRIES_MAX = 1_000
/** Control characters and lone surrogates: they cannot be stored, and are invisible. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u
const EVERY_UNSTORABLE = new RegExp(UNSTORABLE, 'gu')
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

export function readFields(body: unknown): Fields {
  const notes: Fields['notes'] = { first: undefined }
  if (isRecord(body)) return { values: body, place: '', notes }
  notes.first = 'The body is not an object.'
  return { values: {}, place: '', notes }
}

/** The first mistake so far. */
export function mistakeIn({ notes }: Fields, echo?: string | null): Unread | undefined {
  if (notes.first === undefined) return undefined
  return { unread: 'malformed', why: notes.first, ...(echo ? { echo } : {}) }
}

export function childOf(fields: Fields, name: string): Fields {
  const child = childOrNull(fields, name)
  if (child) return child
  note(fields, name)
  return { values: {}, place: placeOf(fields, name), notes: fields.notes }
}

export function childOrNull(fields: Fields, name: string): Fields | null {
  const value = valueAt(fields, name)
  if (value === null) return null
  if (!isRecord(value)) note(fields, name)
  const values = isRecord(value) ? value : {}
  return { values, place: placeOf(fields, name), notes: fields.notes }
}

/** The nested object, if the issuer sends more than its id. */
export function wholeOrNull(fields: Fields, name: string): Fields | null {
  return isRecord(valueAt(fields, name)) ? childOf(fields, name) : null
}

/** A list of objects; empty if the field is missing. */
export function listOf(fields: Fields, name: string): readonly Fields[] {
  const value = valueAt(fields, name) ?? []
  if (!Array.isArray(value) || value.length > ENTRIES_MAX || !value.every(isRecord)) {
    note(fields, name)
    return []
  }
  const place = placeOf(fields, name)
  return value.map((values) => ({ values, place, notes: fields.notes }))
}

/**
 * A list of protocol words; empty if the field is missing. Entries that are not strings are left out.
 */
export function textsOf(fields: Fields, name: string): readonly string[] {
  const value = valueAt(fields, name) ?? []
  if (!Array.isArray(value)) note(fields, name)
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

/** An id or a word of the protocol. */
export function textOf(fields: Fields, name: string): string {
  const text = textOrNull(fields, name)
  if (text === null) note(fields, name)
  return text ?? ''
}

export function textOrNull(fields: Fields, name: string): string | null {
  const value = valueAt(fields, name)
  if (value === null || value === '') return null
  if (typeof value === 'string' && value.length <= ID_MAX && !UNSTORABLE.test(value)) return value
  note(fields, name)
  return null
}

/** Text for people: it is cut and cleaned rather than refused. */
export function shownOf(fields: Fields, name: string): string {
  const value = valueAt(fields, name) ?? ''
  if (typeof value !== 'string') note(fields, name)
  return typeof value === 'string'
    ? value.slice(0, SHOWN_MAX).replace(EVERY_UNSTORABLE, ' ').trim()
    : ''
}

/** The id of a nested object, which may be present as a whole. */
export function idOrNull(fields: Fields, name: string): string | null {
  const whole = wholeOrNull(fields, name)
  return whole ? textOf(whole, 'id') : textOrNull(fields, name)
}

export function flagOrNull(fields: Fields, name: string): boolean | null {
  const value = valueAt(fields, name)
  if (value !== null && typeof value !== 'boolean') note(fields, name)
  return typeof value === 'boolean' ? value : null
}

export function flagOf(fields: Fields, name: string): boolean {
  const flag = flagOrNull(fields, name)
  if (flag === null) note(fields, name)
  return flag ?? false
}

export function numberOrNull(fields: Fields, name: string): number | null {
  const value = valueAt(fields, name)
  if (value !== null && typeof value !== 'number') note(fields, name)
  return typeof value === 'number' ? value : null
}

/** The merchant category code, in four digits. Any other text from an acquirer is ignored. */
export function mccOrNull(fields: Fields, name: string): string | null {
  const text = textOrNull(fields, name)
  return text !== null && /^\d{4}$/.test(text) ? text : null
}

/** An instant, from seconds since the epoch. */
export function secondsOf(fields: Fields, name: string): Instant {
  const value = valueAt(fields, name)
  return instantOr(fields, name, typeof value === 'number' ? value * 1_000 : Number.NaN)
}

/** A date and time with an offset, as RFC 3339 writes it. */
export function timeOf(fields: Fields, name: string): Instant {
  const value = valueAt(fields, name)
  const isTime = typeof value === 'string' && RFC_3339.test(value)
  return instantOr(fields, name, isTime ? Date.parse(value) : Number.NaN)
}

/** A currency code in capitals. The mandate decides whether it is a known currency. */
export function currencyOf(fields: Fields, name: string): string {
  const currency = textOf(fields, name).toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) note(fields, name)
  return currency
}

/** An amount in minor units. */
export function minorOf(fields: Fields, name: string, currency: string): Micros {
  const micros = fromMinor(valueAt(fields, name), currency)
  if (micros === undefined) note(fields, name)
  return micros ?? 0n
}

/** Notes that a field has an unusable value. */
export function note({ place, notes }: Fields, name: string): void {
  notes.first ??= `The field ${place === '' ? name : `${place}.${name}`} cannot be read.`
}

/** Reads only the payload's own fields, never inherited ones. */
function valueAt({ values }: Fields, name: string): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null
}

function instantOr(fields: Fields, name: string, instant: number): Instant {
  if (instant > 0 && instant < LATEST) return Math.trunc(instant)
  note(fields, name)
  return 0
}

function placeOf({ place }: Fields, name: string): string {
  return place === '' ? name : `${place}.${name}`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
