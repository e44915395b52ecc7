import { hash, randomBytes } from 'node:crypto'

/** The session cookie's value: ten bytes that name the session, and 32 bytes that prove it. */
const FORM = /^([A-Za-z0-9_-]{14})\.([A-Za-z0-9_-]{43})$/

export interface GivenSession {
  /** Finds the session; not a secret. */
  readonly publicId: string
  readonly hash: Buffer
}

export interface MintedSession extends GivenSession {
  readonly token: string
}

export function mintSession(): MintedSession {
  const publicId = randomBytes(10).toString('base64url')
  const token = `${publicId}.${mintSecret()}`
  return { token, publicId, hash: hashSecret(token) }
}

/** Returns undefined for anything that cannot be one of our sessions. */
export function parseSession(token: string): GivenSession | undefined {
  const [, publicId] = FORM.exec(token) ?? []
  return publicId === undefined ? undefined : { publicId, hash: hashSecret(token) }
}

/** 32 random bytes, as text. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 is enough for a value that cannot be guessed. */
export function hashSecret(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
