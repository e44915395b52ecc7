import { Problem } from '../../base/errors.ts'

/** More than any valid request has: the largest has 64 rules with lists of 500 entries. */
export const ENTRIES_MAX = 50_000
/** A smaller body cannot have that many entries, because each takes two bytes. */
const COUNTED_FROM_BYTES = 2 * ENTRIES_MAX

/**
 * The cost of parsing JSON depends more on its entries than on its bytes, so entries are bounded
 * before parsing. This counts the commas outside of texts, which takes a tenth of the time. The
 * result for a body that is not JSON does not matter.
 */
export function boundEntries(body: Buffer): void {
  if (body.length <= COUNTED_FROM_BYTES) return
  let commas = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) at = endOfText(body, at)
    else if (byte === COMMA && ++commas >= ENTRIES_MAX) throw tooMany()
  }
}

/** Returns the end of the text that begins here, or of the body if the text does not end. */
function endOfText(body: Buffer, start: number): number {
  let at = start + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

function tooMany(): Problem {
  return new Problem(
    'body_too_large',
    `The body has more than ${ENTRIES_MAX} entries and fields, the maximum.`,
  )
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
