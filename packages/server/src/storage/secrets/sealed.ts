import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Secrets that must be readable again are stored sealed: AES-256-GCM under a key derived from a
 * master key for one organization and one purpose. Both are bound to the ciphertext, so a sealed
 * value that is copied to a different row or column does not open there (ADR 29).
 *
 * Layout: version (1 byte) · id of the master key (8) · nonce (12) · tag (16) · ciphertext. Version
 * 1 has no id, because there was only one master key then.
 */
export interface Sealer {
  seal(organizationId: string, purpose: string, plain: string): Buffer
  /**
   * Throws if the value was altered, moved, or sealed under a master key that this process does not
   * have.
   */
  open(organizationId: string, purpose: string, sealed: Buffer): string
}

export interface MarkingSealer extends Sealer {
  /**
   * The first bytes of every value that this sealer seals, and of no value under a different master
   * key.
   */
  readonly mark: Buffer
}

interface MasterKey {
  readonly mark: Buffer
  readonly secret: Buffer
}

export const WITHOUT_ID = 1
const WITH_ID = 2
const ID_BYTES = 8
export const MARK_BYTES = 1 + ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Replaces the organization's id for values that belong to no organization. */
export const INSTALLATION = 'installation'

/**
 * Creates a sealer that seals under the first key, and opens values sealed under any of the keys.
 */
export function createSealer(masterKey: Buffer, others: readonly Buffer[] = []): MarkingSealer {
  const current = toMasterKey(masterKey)
  const keys = [current, ...others.map(toMasterKey)]

  return {
    mark: current.mark,

    seal(organizationId, purpose, plain) {
      const binding = `${organizationId}:${purpose}`
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(current, binding), nonce)
      cipher.setAAD(Buffer.concat([current.mark, Buffer.from(binding)]))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([current.mark, nonce, cipher.getAuthTag(), body])
    },

    open(organizationId, purpose, sealed) {
      const binding = `${organizationId}:${purpose}`
      if (sealed[0] === WITHOUT_ID) return openUnder(keys, binding, sealed)
      if (sealed[0] !== WITH_ID) throw new Error('A sealed value has an unknown version.')
      const mark = sealed.subarray(0, MARK_BYTES)
      const key = keys.find((one) => one.mark.equals(mark))
      if (!key) throw new Error('A value is encrypted with a master key that is not set.')
      const additional = Buffer.concat([mark, Buffer.from(binding)])
      return decipher(keyFor(key, binding), additional, sealed.subarray(MARK_BYTES))
    },
  }
}

/** The id is derived like the sealing keys, so it reveals nothing about the master key. */
function toMasterKey(secret: Buffer): MasterKey {
  const id = Buffer.from(hkdfSync('sha256', secret, 'purser master key id', '', ID_BYTES))
  return { mark: Buffer.concat([Buffer.of(WITH_ID), id]), secret }
}

function keyFor({ secret }: MasterKey, binding: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'purser sealed v1', binding, 32))
}

/** The value does not name its key, so each key is tried; the tag matches for one at most. */
function openUnder(keys: readonly MasterKey[], binding: string, sealed: Buffer): string {
  let failure: unknown
  for (const key of keys) {
    try {
      return decipher(keyFor(key, binding), Buffer.from(binding), sealed.subarray(1))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** `sealed` begins with the nonce. */
function decipher(key: Buffer, additional: Buffer, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES)
  const authTagLength = TAG_BYTES
  const opening = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength })
  opening.setAAD(additional)
  opening.setAuthTag(tag)
  return opening.update(body, undefined, 'utf8') + opening.final('utf8')
}
