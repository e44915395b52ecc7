const LENGTH_MAX = 120
/** As the gateway judges them: control characters and marks that turn the direction of writing. */
const UNREADABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** The name as it is stored; throws with a sentence if the API would not take it. */
export function toName(text: string, what: 'key' | 'member' | 'organization'): string {
  const name = text.trim()
  if (name === '' || name.length > LENGTH_MAX) {
    throw new Error(`The name of the ${what} must have 1 to ${LENGTH_MAX} characters.`)
  }
  if (UNREADABLE.test(name)) {
    throw new Error(`The name of the ${what} holds characters that cannot be seen.`)
  }
  return name
}

/** A name must not be able to change what the terminal shows of others. */
export function toPrintable(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
