/** Bytes in their own memory, as `crypto.subtle` in a browser requires. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Encodes the text in UTF-8. */
export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

/** Encodes bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at++) text += DIGITS[bytes[at] ?? 0]
  return text
}

/** The caller has checked that the text is an even number of lower-case hexadecimal digits. */
export function fromHex(text: string): Bytes {
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = digitAt(text, at * 2) * 16 + digitAt(text, at * 2 + 1)
  }
  return bytes
}

function digitAt(text: string, place: number): number {
  const code = text.charCodeAt(place)
  return code <= CODE_OF_9 ? code - CODE_OF_0 : code - CODE_OF_A + 10
}

const CODE_OF_0 = 0x30
const CODE_OF_9 = 0x39
const CODE_OF_A = 0x61

/** Each byte becomes an argument of a call, and a call with too many arguments overflows the stack. */
const CHUNK_BYTES = 8_192

export function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    letters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return btoa(letters)
}

/**
 * Returns undefined unless the text is exactly the output of `toBase64` for these bytes. Decoders
 * skip spaces and ignore the unused bits of the last letter, so several texts would stand for the
 * same bytes, and a changed text could go unnoticed.
 */
export function decodeBase64(text: string): Bytes | undefined {
  const bytes = tryBase64(text)
  return bytes && toBase64(bytes) === text ? bytes : undefined
}

function tryBase64(text: string): Bytes | undefined {
  try {
    const letters = atob(text)
    const bytes = new Uint8Array(letters.length)
    for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
