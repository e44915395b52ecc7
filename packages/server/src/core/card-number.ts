/*
 * Card numbers must never be stored here: storing one brings the security duties of the card networks
 * (PCI DSS, ADR 36). Users send them by mistake, in fields for ids and in free text.
 */

const DIGITS_MIN = 13
const DIGITS_MAX = 19
const FIRST_MIN = 2
const FIRST_MAX = 6
const ZERO = 0x30
const SPACE = 0x20
const ASCII_MAX = 0x7f
/** ASCII characters that can occur within a card number: digits, and separators of groups. */
const WITHIN = Uint8Array.from({ length: ASCII_MAX + 1 }, (_, code) =>
  Number(code <= SPACE || '0123456789-._/'.includes(String.fromCharCode(code))),
)
/** At most half of the digits of a number, because some characters stand for two digits. */
const STEP = 6
const SEPARATOR = '[\\s\\u2010-\\u2015\\u2212-]{1,2}'

/**
 * Digits, grouped or not. None of these expressions can match the same text in two ways, so none is
 * slow.
 */
const DIGITS = digitsBetween(SEPARATOR)
/**
 * The group sizes in which people write card numbers. With a point, an underscore or a slash between
 * them, groups of other sizes are paths, versions, times, amounts and order numbers.
 */
const FORMS = '4-4-4-4(?:-[123])?|4-4-4-[123]|4-4-5|4-6-[45]|4-5-6'
/** Groups with the same separator between all of them. Digits, one point and digits are a decimal. */
const POINTED = [
  { sign: '.', groups: digitsBetween('\\.', 1), form: new RegExp(`^(?:${FORMS})$`) },
  { sign: '_', groups: digitsBetween('_', 1), form: new RegExp(`^(?:${FORMS}|8-8|6-13)$`) },
  { sign: '/', groups: digitsBetween('/', 1), form: new RegExp(`^(?:${FORMS}|8-8|6-13)$`) },
]
const FORM_GROUPS_MAX = 5
/** Dates begin like this, and card numbers of no network do. */
const YEAR = '20'
const DAY = /^20\d\d[01]\d[0-3]\d$/
/** A decimal with more digits on one side of its point than people write in a group. */
const DECIMAL = /(?<!\d\.?)(?:\d+\.\d{8,}|\d{8,}\.\d+)(?!\.?\d)/g
/** The last groups of a number, followed by decimals as in a price. */
const PRICE = new RegExp(`(?<!\\d\\.?)(\\d+${SEPARATOR}\\d{1,12})\\.\\d+(?!\\.?\\d)`, 'g')
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** The names of fields that must not be sent, with any content. */
const SECRET_NAMES = /^(?:card[_-]?number|pan|cv[cvn]2?|track(?:[_-]?[123])?(?:[_-]?data)?)$/i
/** Outside of data about cards, `number` may be that of an invoice. */
const NUMBER = /^number$/i

/** Whether the text contains something that looks like a card number. */
export function holdsCardNumber(text: string): boolean {
  if (!mayHoldOne(text)) return false
  // NFKC turns full-width digits and no-break spaces into plain ones.
  const plain = withoutDecimals(text.normalize('NFKC').replace(UUID, '|'))
  if (holdsInGroups(plain, DIGITS)) return true
  return POINTED.some(
    ({ sign, groups, form }) => plain.includes(sign) && holdsInGroups(plain, groups, form),
  )
}

function withoutDecimals(text: string): string {
  return text.includes('.') ? text.replace(PRICE, '$1|').replace(DECIMAL, '|') : text
}

function holdsInGroups(text: string, groups: RegExp, form?: RegExp): boolean {
  for (const found of text.matchAll(groups)) {
    if (isAnyGroupOne(wholeGroups(text, found), form)) return true
  }
  return false
}

function digitsBetween(separator: string, least = 0): RegExp {
  return new RegExp(`(?<!\\d)\\d+(?:${separator}\\d+){${least},}`, 'g')
}

/**
 * Drops the first or last group if only letters separate it from a further digit: ids and hashes mix
 * digits and letters. Drops the first group after a plus too: that is a telephone number.
 */
function wholeGroups(text: string, { 0: digits, index }: RegExpExecArray): string[] {
  if (digits.length < DIGITS_MIN) return []
  const groups = digits.match(/\d+/g) ?? []
  let before = index - 1
  while (isLetter(text.charCodeAt(before))) before -= 1
  let after = index + digits.length
  while (isLetter(text.charCodeAt(after))) after += 1
  const begin = isDigit(text.charCodeAt(before)) || text[before] === '+' ? 1 : 0
  return groups.slice(begin, isDigit(text.charCodeAt(after)) ? -1 : undefined)
}

function isWrittenAs(form: RegExp, groups: readonly string[]): boolean {
  if (groups[0]?.startsWith(YEAR) || groups.some((group) => DAY.test(group))) return false
  return form.test(groups.map((group) => group.length).join('-'))
}

/**
 * Masks texts from outside that are stored or shown: a text with a card number becomes its last four
 * digits.
 */
export function maskCardNumber(text: string): string {
  if (!holdsCardNumber(text)) return text
  return `…${text.normalize('NFKC').replace(/\D/g, '').slice(-4)}`
}

/**
 * A cheap first check, since it runs on every decision; almost no text passes it. It counts digits that
 * only group separators interrupt: an instant never has enough of them. A number is longer than a step,
 * so every number has a character at a step, and most other characters are skipped.
 */
function mayHoldOne(text: string): boolean {
  for (let at = STEP - 1; at < text.length; at += STEP) {
    if (!isWithin(text.charCodeAt(at))) continue
    while (at > 0 && isWithin(text.charCodeAt(at - 1))) at -= 1
    at = endOfDigits(text, at)
    if (at < 0) return true
  }
  return false
}

/** The end of a possible number that begins at `begin`; -1 if it has enough digits. */
function endOfDigits(text: string, begin: number): number {
  let digits = 0
  for (let at = begin; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > ASCII_MAX) return -1
    if (!isWithin(code)) return at
    digits += Number(isDigit(code))
    if (digits === DIGITS_MIN) return -1
  }
  return text.length
}

/** How to search a value for card numbers. */
export interface Subject {
  readonly isAboutCards: boolean
  /**
   * The names of exempt fields: ids from networks and issuers, one in ten of which looks like a card
   * number.
   */
  readonly exempt: ReadonlySet<string>
}

const ANYTHING: Subject = { isAboutCards: false, exempt: new Set() }

/**
 * Returns the JSON pointer of the first field that looks like a card number, or is named like one. It
 * never repeats the found text, not even as a name.
 */
export function findCardNumber(
  value: unknown,
  subject: Subject = ANYTHING,
  path = '',
): string | undefined {
  const found = findWithin(value, subject)
  return found === undefined ? undefined : `${path}${found}`
}

/** The pointer relative to the value. It is built only if something is found. */
function findWithin(value: unknown, subject: Subject): string | undefined {
  if (typeof value === 'string') return holdsCardNumber(value) ? '' : undefined
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = findInField(name, inner, subject)
    if (found !== undefined) return found
  }
  return undefined
}

function findInField(name: string, value: unknown, subject: Subject): string | undefined {
  if (subject.exempt.has(name)) return undefined
  if (holdsCardNumber(name)) return ''
  const isSecret = SECRET_NAMES.test(name) || (subject.isAboutCards && NUMBER.test(name))
  const found = isSecret ? '' : findWithin(value, subject)
  if (found === undefined) return undefined
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${found}`
}

/** Whether consecutive groups together are a card number, in the given form. */
function isAnyGroupOne(groups: readonly string[], form?: RegExp): boolean {
  return groups.some((_, index) => isOneFrom(groups, index, form))
}

/** Networks begin their numbers with 2 to 6. */
function isOneFrom(groups: readonly string[], index: number, form?: RegExp): boolean {
  const first = valueAt(groups[index] ?? '', 0)
  if (first < FIRST_MIN || first > FIRST_MAX) return false
  const end = Math.min(groups.length, index + (form ? FORM_GROUPS_MAX : DIGITS_MAX))
  let digits = ''
  for (let last = index; last < end; last++) {
    digits += groups[last]
    if (digits.length > DIGITS_MAX) return false
    if (!isCardNumber(digits)) continue
    if (!form || isWrittenAs(form, groups.slice(index, last + 1))) return true
  }
  return false
}

/** The last digit checks the others (Luhn). */
function isCardNumber(digits: string): boolean {
  if (digits.length < DIGITS_MIN) return false
  let sum = 0
  for (let at = digits.length - 1; at >= 0; at--) {
    const isDoubled = (digits.length - at) % 2 === 0
    const value = valueAt(digits, at) * (isDoubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

function valueAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - ZERO
}

/** Whether a number may contain the character; a character outside of ASCII may become a digit. */
function isWithin(code: number): boolean {
  return code > ASCII_MAX || WITHIN[code] === 1
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}

function isLetter(code: number): boolean {
  const small = code | SPACE
  return small >= 0x61 && small <= 0x7a
}
