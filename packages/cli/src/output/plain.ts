/** Control characters, and characters that are invisible or change the writing direction. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Replaces control characters. Agents write some of these texts, and a control character could move
 * the cursor and show a person a different amount than the one that is approved.
 */
export function plain(text: string): string {
  return text.replace(HIDDEN, '?')
}

/** The same for a text of several lines. */
export function plainLines(text: string): string {
  return text.replace(/[^\n\t]+/g, (part) => plain(part))
}

/** Formats a value as JSON on one line. The same characters are escaped, so the value is the same. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (character) =>
    character.split('').map(toEscape).join(''),
  )
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
