import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The form of an API key: `psr_live_` or `psr_test_`, ten characters that name the key, an
 * underscore, 32 characters of secret (190 bits) and a checksum of six. With the checksum, scanners
 * and this server can tell a mistyped key from a revoked one without a database query.
 */
const FORM = /^(psr_(?:live|test)_[0-9A-Za-z]{10})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export interface MintedKey {
  /** Shown once to the person who created the key, and never stored. */
  readonly token: string
  /** The public part, which finds and identifies the key. */
  readonly publicId: string
  readonly hash: Buffer
}

export function mintApiKey(kind: 'live' | 'test'): MintedKey {
  const publicId = `psr_${kind}_${randomText(10)}`
  const body = `${publicId}_${randomText(32)}`
  const token = body + checksum(body)
  return { token, publicId, hash: hashOf(token) }
}

/** The key that a caller sent, in the form in which keys are stored. */
export interface GivenKey {
  readonly publicId: string
  readonly hash: Buffer
}

/** Returns undefined for anything that cannot be one of our keys. */
export function parseApiKey(token: string): GivenKey | undefined {
  const match = FORM.exec(token)
  if (!match) return undefined
  const [, publicId = '', secret = '', sum = ''] = match
  if (checksum(`${publicId}_${secret}`) !== sum) return undefined
  return { publicId, hash: hashOf(token) }
}

/**
 * SHA-256 is enough: the secret has 190 random bits, so it cannot be guessed and a slow hash gains
 * nothing. The library returns a binary string in half the time of a buffer.
 */
function hashOf(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'binary'), 'binary')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Discards bytes of 248 and above: taking them modulo 62 would favour eight characters. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
    }
  }
  return text
}
