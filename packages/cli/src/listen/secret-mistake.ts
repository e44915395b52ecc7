const PREFIX = 'whsec_'

/** The limits of Standard Webhooks. The gateway's own secrets have 32 bytes. */
const BYTES_MIN = 24
const BYTES_MAX = 64

/**
 * Describes the mistake in the format of a webhook secret, or returns undefined. The text continues
 * a sentence that begins with the secret's name, and repeats none of the secret. A truncated or
 * doubly quoted secret would also sign, and the receiver would refuse every event without a reason.
 */
export function secretMistake(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) return `must begin with ${PREFIX}`
  const key = secret.slice(PREFIX.length)
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(key)) {
    return `must be base64 after ${PREFIX}: letters, digits, + and /, with = only at the end`
  }
  if (key.length % 4 !== 0) {
    return `is incomplete: base64 has groups of four characters, but ${key.length} follow ${PREFIX}`
  }
  const bytes = Buffer.from(key, 'base64').length
  if (bytes >= BYTES_MIN && bytes <= BYTES_MAX) return undefined
  return `must encode ${BYTES_MIN} to ${BYTES_MAX} bytes after ${PREFIX}, but encodes ${bytes}`
}
