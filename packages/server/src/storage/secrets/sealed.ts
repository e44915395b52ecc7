import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Secrets that must be readable again are stored sealed: AES-256-GCM under a key derived from the
 * master key for one organization and one purpose. Both are bound to the ciphertext, so that a
 * sealed value copied to another row or column does not open there.
 *
 * Layout: version (1 byte) · nonce (12) · tag (16) · ciphertext.
 */
export interface Sealer {
  seal(organizationId: string, purpose: string, plain: string): Buffer
  /** Throws if the value was altered, moved, or sealed under another master key. */
  open(organizationId: string, purpose: string, sealed: Buffer): string
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createSealer(masterKey: Buffer): Sealer {
  function keyFor(binding: string): Buffer {
    return Buffer.from(hkdfSync('sha256', masterKey, 'purser sealed v1', binding, 32))
  }

  return {
    seal(organizationId, purpose, plain) {
      const binding = `${organizationId}:${purpose}`
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(binding), nonce)
      cipher.setAAD(Buffer.from(binding))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body])
    },

    open(organizationId, purpose, sealed) {
      if (sealed[0] !== VERSION) throw new Error('A sealed value has an unknown version.')
      const binding = `${organizationId}:${purpose}`
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(binding), nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(binding))
      decipher.setAuthTag(tag)
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
