/** Control characters, line and paragraph separators, and marks that change the writing direction. */
const BREAKING = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

const LENGTH_MAX = 120

/**
 * A name as one line of a message. Names are checked when they are saved, but a message must not
 * depend on it: with a line break, a name could add headers or lines.
 */
export function toOneLine(text: string): string {
  const line = text.replace(BREAKING, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= LENGTH_MAX ? line : `${characters.slice(0, LENGTH_MAX - 1).join('')}…`
}
