const LENGTH_MAX = 120
/**
 * Matches the characters that the gateway refuses: control characters, and marks that change the
 * direction of writing.
 */
const UNREADABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Returns the name as it is stored, or throws a message if the API would refuse it. */
export function toName(text: string, what: 'key' | 'member' | 'organization'): string {
  const name = text.trim()
  if (name === '' || name.length > LENGTH_MAX) {
    throw new Error(`The name of the ${what} must have 1 to ${LENGTH_MAX} characters.`)
  }
  if (UNREADABLE.test(name)) {
    throw new Error(`The name of the ${what} contains invisible characters.`)
  }
  return name
}

/** Replaces control characters, so that a name cannot change how the terminal shows other names. */
export function toPrintable(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
