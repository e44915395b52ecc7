import { isUtf8 } from 'node:buffer'
import { Problem } from './errors.ts'

export const DEPTH_MAX = 32
/** A double holds 15 to 17 significant digits; a number with more would be changed silently. */
const SIGNIFICANT_DIGITS_MAX = 17

/**
 * Parses a body and refuses input that JSON.parse accepts but that is unsafe for money: a duplicate
 * key (which of the two amounts was meant?), more depth than any request needs, numbers that a
 * double cannot hold, and text that the database or a signature would change (NUL, lone
 * surrogates).
 *
 * JSON.parse does the parsing and guarantees the grammar, so the scan over the text can be simple:
 * it sees only valid tokens.
 */
export function parseStrictJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw refused('The body is not valid UTF-8.')
  const text = body.toString('utf8')
  if (text.charCodeAt(0) === 0xfeff) throw refused('The body starts with a byte order mark.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refused(`The body is not JSON: ${(cause as SyntaxError).message}.`, cause)
  }
  scan(text)
  return value
}

function refused(detail: string, cause?: unknown): Problem {
  return new Problem('malformed_json', detail, { cause })
}

/** The keys of each open object, and null for each open array. */
type Open = (Set<string> | null)[]

function scan(text: string): void {
  const open: Open = []
  let expectsKey = false
  let at = 0
  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfString(text, at)
      const value = readString(text, at, end, expectsKey)
      if (expectsKey) addKey(open.at(-1), value)
      expectsKey = false
      at = end
    } else if (isDigit(char)) {
      at = endOfNumber(text, at)
    } else {
      expectsKey = enter(open, char) ?? expectsKey
      at++
    }
  }
}

/**
 * Processes one structural character. Returns whether a key comes next; undefined for other
 * characters.
 */
function enter(open: Open, char: number): boolean | undefined {
  switch (char) {
    case OPEN_BRACE:
    case OPEN_BRACKET:
      if (open.push(char === OPEN_BRACE ? new Set() : null) > DEPTH_MAX) {
        throw refused(`The body is nested deeper than ${DEPTH_MAX} levels.`)
      }
      return char === OPEN_BRACE
    case CLOSE_BRACE:
    case CLOSE_BRACKET:
      open.pop()
      return false
    case COMMA:
      return open.at(-1) instanceof Set
    default:
      return undefined
  }
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (!keys) return
  if (key === '__proto__') throw refused('The key "__proto__" is not allowed.')
  if (keys.has(key)) throw refused(`The key ${JSON.stringify(key)} appears twice in one object.`)
  keys.add(key)
}

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

/** Escapes that may stand for a forbidden character. */
const ODD_ESCAPE = /\\[ubf]/

function readString(text: string, start: number, end: number, isKey: boolean): string {
  const raw = text.slice(start + 1, end - 1)
  // A text without an escape needs no further check: UTF-8 was checked, and JSON.parse refuses raw
  // control characters. The other escapes of a value are harmless.
  const isPlain = isKey ? !raw.includes('\\') : !ODD_ESCAPE.test(raw)
  if (isPlain) return raw
  const value: string = JSON.parse(text.slice(start, end))
  if (/\p{Surrogate}/u.test(value)) throw refused('A string contains half of a surrogate pair.')
  if (hasControlCharacter(value)) {
    throw refused('A string contains a control character other than tab and line break.')
  }
  return value
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char < 0x20 && char !== 0x09 && char !== 0x0a && char !== 0x0d) return true
  }
  return false
}

function endOfNumber(text: string, start: number): number {
  let end = start
  while (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === POINT) end++
  if (significantDigits(text, start, end) > SIGNIFICANT_DIGITS_MAX) {
    throw refused(`A number has more than ${SIGNIFICANT_DIGITS_MAX} significant digits.`)
  }
  // The caller reads the rest of an exponent digit by digit; it is never long.
  return end
}

/** Leading and trailing zeros only mark the position of the point. */
function significantDigits(text: string, start: number, end: number): number {
  let [first, last] = [start, end]
  while (first < last && isPlaceholder(text.charCodeAt(first))) first++
  while (last > first && isPlaceholder(text.charCodeAt(last - 1))) last--
  const hasPoint = text.slice(first, last).includes('.')
  return hasPoint ? last - first - 1 : last - first
}

function isPlaceholder(char: number): boolean {
  return char === ZERO || char === POINT
}

function isDigit(char: number): boolean {
  return char >= ZERO && char <= 0x39
}

const QUOTE = 0x22
const COMMA = 0x2c
const POINT = 0x2e
const ZERO = 0x30
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
