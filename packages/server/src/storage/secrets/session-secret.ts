import { hash, randomBytes } from 'node:crypto'

/** What a browser keeps of a session: ten bytes that name it, and 32 that prove it. */
const FORM = /^([A-Za-z0-9_-]{14})\.([A-Za-z0-9_-]{43})$/

export interface GivenSession {
  /** Finds the session, and is nothing secret. */
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

/** Undefined for anything that cannot be a session of ours. */
export function parseSession(token: string): GivenSession | undefined {
  const [, publicId] = FORM.exec(token) ?? []
  return publicId === undefined ? undefined : { publicId, hash: hashSecret(token) }
}

/** 32 random bytes, as text. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 is enough for what nobody can guess. */
export function hashSecret(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
