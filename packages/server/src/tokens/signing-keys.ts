import { randomBytes } from 'node:crypto'
import type { CryptoKey, JWK } from 'jose'
import type { Instant } from '../core/time/instant.ts'
import { TTL } from '../core/tokens/claims.ts'
import { readClock } from '../storage/engine/clock.ts'
import type { Database, Queryable, Tx } from '../storage/engine/database.ts'
import { INSTALLATION, type Sealer } from '../storage/secrets/sealed.ts'
import {
  findInstallationSecret,
  insertInstallationSecret,
  insertSigningKey,
  listSigningKeys,
  lockInstallationSecret,
  retireSigningKey,
  SECRET_PURPOSE,
  SIGNING_KEY_PURPOSE,
  type StoredSigningKey,
} from '../storage/tokens/signing-keys.ts'

export const ALGORITHM = 'ES256'

/** How long those who verify may keep the published keys. */
export const PUBLISHED_SECONDS = 300
/** How old the set may be that a process goes by. */
export const REREAD_MS = 60_000

/**
 * A process may publish the set of before for as long as it goes by that, and whoever got it last keeps
 * it for its whole time. A key signs only when all of them know it.
 */
const SIGNS_AFTER_MS = PUBLISHED_SECONDS * 1_000 + REREAD_MS
/** The last token of a key ends, and whoever has yet to see it may still need the key. */
const PUBLISHED_AFTER_MS = TTL.max * 1_000 + SIGNS_AFTER_MS

/** A key that is published, ready for use. */
export interface SigningKey {
  readonly kid: string
  readonly publicJwk: JWK
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
  readonly signsFrom: Instant
  readonly retiresAt: Instant | null
}

/** What the installation signs with. */
export interface KeySet {
  /** The oldest first. */
  readonly keys: readonly SigningKey[]
  /** Under which mandates are hashed: without it the terms could be found by trying. */
  readonly hashSecret: Buffer
}

const HASH_SECRET = 'mandate-hash'

interface KeyParts {
  readonly db: Database
  readonly sealer: Sealer
}

/** Reads the set. The first call of the installation makes it, in one process only. */
export async function readKeySet({ db, sealer }: KeyParts, now: Instant): Promise<KeySet> {
  const found = await findKeySet(db, now)
  if (found) return openKeySet(sealer, found)
  await db.transaction((tx) => makeKeySet(tx, sealer, now))
  const made = await findKeySet(db, now)
  if (!made) throw new Error('The signing keys were made and are not there.')
  return openKeySet(sealer, made)
}

export interface RotatedKey {
  readonly kid: string
  readonly signsFrom: Instant
  /** Until when the key before is published. */
  readonly publishedUntil: Instant
}

/**
 * Publishes another key, which signs once everybody can know it. Throws with a sentence for people
 * while one waits for that: then there would be a third.
 */
export async function rotateSigningKey({ db, sealer }: KeyParts): Promise<RotatedKey> {
  await readKeySet({ db, sealer }, await readClock(db))
  return db.transaction(async (tx) => {
    await lockInstallationSecret(tx, HASH_SECRET)
    const now = await readClock(tx)
    const latest = (await listSigningKeys(tx, now)).at(-1)
    if (!latest) throw new Error('There is no signing key that another could follow.')
    if (latest.signsFrom > now) {
      const wait = Math.ceil((latest.signsFrom - now) / 1_000)
      throw new Error(
        `The key ${latest.kid} was published by an earlier rotation and signs in ${wait} seconds. Wait until then. Nothing was changed.`,
      )
    }
    const signsFrom = now + SIGNS_AFTER_MS
    const publishedUntil = signsFrom + PUBLISHED_AFTER_MS
    const { kid } = await makeKey(tx, sealer, { createdAt: now, signsFrom })
    await retireSigningKey(tx, latest.kid, publishedUntil)
    return { kid, signsFrom, publishedUntil }
  })
}

/** Loaded when the first token is asked for: a start need not wait for it. */
export function loadJose(): Promise<typeof import('jose')> {
  return import('jose')
}

interface StoredSet {
  readonly keys: readonly StoredSigningKey[]
  readonly hashSecret: Buffer
}

async function findKeySet(db: Queryable, now: Instant): Promise<StoredSet | undefined> {
  const [keys, hashSecret] = await Promise.all([
    listSigningKeys(db, now),
    findInstallationSecret(db, HASH_SECRET),
  ])
  return keys.length > 0 && hashSecret ? { keys, hashSecret } : undefined
}

/** The row of the secret is the lock: whoever loses waits for the other, and has nothing to do. */
async function makeKeySet(tx: Tx, sealer: Sealer, now: Instant): Promise<void> {
  const plain = randomBytes(32).toString('base64')
  const secret = sealer.seal(INSTALLATION, SECRET_PURPOSE, plain)
  const isFirst = await insertInstallationSecret(tx, { name: HASH_SECRET, secret, createdAt: now })
  if (isFirst) await makeKey(tx, sealer, { createdAt: now, signsFrom: now })
}

async function makeKey(
  tx: Tx,
  sealer: Sealer,
  times: { readonly createdAt: Instant; readonly signsFrom: Instant },
): Promise<StoredSigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await loadJose()
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const privateText = JSON.stringify(await exportJWK(pair.privateKey))
  const key = {
    kid,
    publicJwk: { ...jwk, kid, alg: ALGORITHM, use: 'sig' },
    privateJwk: sealer.seal(INSTALLATION, SIGNING_KEY_PURPOSE, privateText),
    ...times,
    retiresAt: null,
  }
  await insertSigningKey(tx, key)
  return key
}

async function openKeySet(sealer: Sealer, { keys, hashSecret }: StoredSet): Promise<KeySet> {
  const { importJWK } = await loadJose()
  const secret = sealer.open(INSTALLATION, SECRET_PURPOSE, hashSecret)
  return {
    hashSecret: Buffer.from(secret, 'base64'),
    keys: await Promise.all(
      keys.map(async ({ kid, publicJwk, privateJwk, signsFrom, retiresAt }) => {
        const opened: unknown = JSON.parse(
          sealer.open(INSTALLATION, SIGNING_KEY_PURPOSE, privateJwk),
        )
        const [publicKey, privateKey] = await Promise.all([
          importJWK(publicJwk, ALGORITHM),
          importJWK({ ...(opened as JWK) }, ALGORITHM),
        ])
        if (publicKey instanceof Uint8Array || privateKey instanceof Uint8Array) {
          throw new Error(`The signing key ${kid} is not a pair of keys.`)
        }
        return { kid, publicJwk, publicKey, privateKey, signsFrom, retiresAt }
      }),
    ),
  }
}
