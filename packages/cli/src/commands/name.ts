const LENGTH_MAX = 120

/** The name as it is stored; throws with a sentence if the API would not take it. */
export function toName(text: string, what: 'key' | 'organization'): string {
  const name = text.trim()
  if (name === '' || name.length > LENGTH_MAX) {
    throw new Error(`The name of the ${what} must have 1 to ${LENGTH_MAX} characters.`)
  }
  return name
}
