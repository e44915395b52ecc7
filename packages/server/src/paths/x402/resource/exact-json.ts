import { parseStrictJson } from '../../../base/strict-json.ts'

/** Matches numbers, and also strings, because digits inside of a string are not a number. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * Parses a document that means the same once it is written again, and throws for any other. An
 * agent has paid for the id 9007199254740993, and a JavaScript number would turn it into
 * 9007199254740992.
 */
export function parseExactJson(bytes: Buffer): unknown {
  const value = parseStrictJson(bytes)
  for (const [token] of bytes.toString('utf8').matchAll(TOKENS)) {
    if (!token.startsWith('"') && !isExact(token)) throw new Error('A number would be altered.')
  }
  return value
}

function isExact(number: string): boolean {
  return toScientific(number) === toScientific(String(Number(number)))
}

/** One spelling for each number: 1.50, 15e-1 and 1.5 are the same. */
function toScientific(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const place = Number(exponent) - fraction.length + digits.length - significant.length
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${place}`
}
