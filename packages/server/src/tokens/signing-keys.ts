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

/** How long verifiers may cache the published keys. */
export const PUBLISHED_SECONDS = 300
/** How long a process may cache the key set. */
export const REREAD_MS = 60_000

/**
 * A process may publish the old set for as long as it caches it, and a verifier that fetched it
 * last caches it for its whole time. A key signs only after all of them know it.
 */
const SIGNS_AFTER_MS = PUBLISHED_SECONDS * 1_000 + REREAD_MS
/**
 * The previous key stays published until its last token has expired, and a while longer for
 * verifiers that check that token late.
 */
const PUBLISHED_AFTER_MS = TTL.max * 1_000 + SIGNS_AFTER_MS

/** A published key, ready for use. */
export interface SigningKey {
  readonly kid: string
  readonly publicJwk: JWK
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
  readonly signsFrom: Instant
  readonly retiresAt: Instant | null
}

/** The signing keys of the installation. */
export interface KeySet {
  /** Ordered oldest first. */
  readonly keys: readonly SigningKey[]
  /** The key of the mandate hashes: without it, terms could be guessed by trial. */
  readonly hashSecret: Buffer
}

const HASH_SECRET = 'mandate-hash'

interface KeyParts {
  readonly db: Database
  readonly sealer: Sealer
}

/** Reads the key set. The first call in an installation creates it, in one process only. */
export async function readKeySet({ db, sealer }: KeyParts, now: Instant): Promise<KeySet> {
  const found = await findKeySet(db, now)
  if (found) return openKeySet(sealer, found)
  await db.transaction((tx) => makeKeySet(tx, sealer, now))
  const made = await findKeySet(db, now)
  if (!made) throw new Error('The signing keys were created but cannot be found.')
  return openKeySet(sealer, made)
}

export interface RotatedKey {
  readonly kid: string
  readonly signsFrom: Instant
  /** The previous key is published until this instant. */
  readonly publishedUntil: Instant
}

/**
 * Publishes a new key, which signs once all verifiers can know it. Throws a readable error while an
 * earlier new key still waits for that: there would be a third key.
 */
export async function rotateSigningKey({ db, sealer }: KeyParts): Promise<RotatedKey> {
  await readKeySet({ db, sealer }, await readClock(db))
  return db.transaction(async (tx) => {
    await lockInstallationSecret(tx, HASH_SECRET)
    const now = await readClock(tx)
    const latest = (await listSigningKeys(tx, now)).at(-1)
    if (!latest) throw new Error('There is no signing key to rotate.')
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

/** Loaded on first use, so that startup does not wait for it. */
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

/**
 * The row of the secret is the lock: the process that comes second waits, and then has nothing to
 * do.
 */
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
          throw new Error(`The signing key ${kid} is not a valid key pair.`)
        }
        return { kid, publicJwk, publicKey, privateKey, signsFrom, retiresAt }
      }),
    ),
  }
}
