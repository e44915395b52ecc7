/*
 * Numbers of cards must never be stored here: whoever keeps one has to protect it as the networks of
 * cards demand. Users send them by mistake, in fields for ids and in free text.
 */

const DIGITS_MIN = 13
const DIGITS_MAX = 19
const FIRST_MIN = 2
const FIRST_MAX = 6
const ZERO = 0x30
const SPACE = 0x20
const HYPHEN = 0x2d
const ASCII_MAX = 0x7f
const SEPARATOR = '[\\s\\u2010-\\u2015\\u2212-]{0,2}'

/**
 * Digits, in groups or not, with nothing but letters around them. Ids and hashes have digits and
 * letters in turn, and so are none; a number with a plus before it is that of a telephone.
 */
const DIGITS = new RegExp(
  `(?<![0-9A-Za-z+])[A-Za-z]*(\\d(?:${SEPARATOR}\\d){${DIGITS_MIN - 1},})[A-Za-z]*(?![0-9A-Za-z])`,
  'g',
)
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Names of fields that hold what must not be sent, whatever is in them. */
const SECRET_NAMES = /^(?:card[_-]?number|pan|cv[cvn]2?|track(?:[_-]?[123])?(?:[_-]?data)?)$/i
/** Elsewhere than in what is about cards, a number may be that of an invoice. */
const NUMBER = /^number$/i

/** Whether the text holds something that looks like the number of a card. */
export function holdsCardNumber(text: string): boolean {
  if (!mayHoldOne(text)) return false
  // Digits of other widths, and spaces that do not break, become those that are looked for.
  const plain = text.normalize('NFKC').replace(UUID, '|')
  return [...plain.matchAll(DIGITS)].some(([, digits = '']) => isAnyGroupOne(digits))
}

/** For others' texts that are kept or shown: of one that holds such a number, the last four digits. */
export function maskCardNumber(text: string): string {
  if (!holdsCardNumber(text)) return text
  return `…${text.normalize('NFKC').replace(/\D/g, '').slice(-4)}`
}

/**
 * Almost no text gets further than this, and it is on the way of every decision. Digits count as long
 * as nothing but what may separate groups is between them: those of an instant never are enough.
 */
function mayHoldOne(text: string): boolean {
  if (text.length < DIGITS_MIN) return false
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > ASCII_MAX) return true
    if (isDigit(code)) digits += 1
    else if (code > SPACE && code !== HYPHEN) digits = 0
    if (digits >= DIGITS_MIN) return true
  }
  return false
}

/** In what is looked for numbers of cards. */
export interface Subject {
  readonly isAboutCards: boolean
  /** Names of fields that are exempt: ids that networks and issuers give, one in ten of which looks alike. */
  readonly exempt: ReadonlySet<string>
}

const ANYTHING: Subject = { isAboutCards: false, exempt: new Set() }

/**
 * Where in a value something looks like the number of a card, or is called one: the JSON pointer of
 * the field. It never repeats what was found, not even as a name.
 */
export function findCardNumber(
  value: unknown,
  subject: Subject = ANYTHING,
  path = '',
): string | undefined {
  const found = findWithin(value, subject)
  return found === undefined ? undefined : `${path}${found}`
}

/** The pointer from the value on: it is made only where something is found. */
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

/** Whether some groups that follow each other are the number of a card together. */
function isAnyGroupOne(grouped: string): boolean {
  const groups = grouped.match(/\d+/g) ?? []
  const digits = groups.join('')
  const ends: number[] = []
  for (const group of groups) ends.push((ends.at(-1) ?? 0) + group.length)
  return ends.some((end, index) => {
    const begin = end - (groups[index]?.length ?? 0)
    for (let last = index; (ends[last] ?? Number.NaN) - begin <= DIGITS_MAX; last++) {
      if (isCardNumber(digits, begin, ends[last] ?? begin)) return true
    }
    return false
  })
}

/** Networks begin their numbers with 2 to 6, and end them with a digit that checks the others (Luhn). */
function isCardNumber(digits: string, begin: number, end: number): boolean {
  const first = valueAt(digits, begin)
  if (end - begin < DIGITS_MIN || first < FIRST_MIN || first > FIRST_MAX) return false
  let sum = 0
  for (let at = end - 1; at >= begin; at--) {
    const isDoubled = (end - at) % 2 === 0
    const value = valueAt(digits, at) * (isDoubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

function valueAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - ZERO
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}
