import { readBytes } from '../base/bytes.ts'
import { isFields } from './claims.ts'
import { MandateTokenError } from './error.ts'

export type Key = Parameters<typeof crypto.subtle.verify>[1]
type Fetch = typeof globalThis.fetch

/** The published keys of one issuer. */
export interface KeyCache {
  find(kid: string): Promise<Key>
}

interface KeySet {
  readonly keys: ReadonlyMap<string, Key>
  readonly readAt: number
}

/** The gateway publishes a new key six minutes before it signs with it. */
const FRESH_MS = 300_000
/** A token can name any key, so unknown keys cause at most one request in this time. */
const UNKNOWN_EVERY_MS = 30_000
/** The same for an issuer that does not answer. */
const FAILED_EVERY_MS = 5_000
const TIMEOUT_MS = 5_000
const BYTES_MAX = 65_536
const KEYS_MAX = 32
const ISSUERS_MAX = 100

/** By the function that fetches, because a program can give each one its own proxy or test. */
const caches = new WeakMap<Fetch, Map<string, KeyCache>>()

/** Returns the keys of an issuer that the program named, cached for all calls. */
export function keysOf(issuer: string, send: Fetch): KeyCache {
  const issuers = caches.get(send) ?? new Map<string, KeyCache>()
  caches.set(send, issuers)
  const known = issuers.get(issuer)
  if (known) return known
  const [oldest] = issuers.keys()
  if (oldest !== undefined && issuers.size >= ISSUERS_MAX) issuers.delete(oldest)
  const created = createKeyCache(issuer, send)
  issuers.set(issuer, created)
  return created
}

function createKeyCache(issuer: string, send: Fetch): KeyCache {
  let known: KeySet | undefined
  let failed: { readonly error: unknown; readonly at: number } | undefined
  let reading: Promise<KeySet> | undefined

  async function read(): Promise<KeySet> {
    try {
      const keys = await fetchKeys(issuer, send)
      failed = undefined
      known = { keys, readAt: Date.now() }
      return known
    } catch (error) {
      failed = { error, at: Date.now() }
      throw error
    } finally {
      reading = undefined
    }
  }

  /** Reads the keys again if they are older than this. Concurrent callers share one request. */
  async function current(ageMaxMs: number): Promise<KeySet> {
    if (known && ageOf(known.readAt) < ageMaxMs) return known
    if (failed && ageOf(failed.at) < FAILED_EVERY_MS) throw failed.error
    // In a Worker a request cannot wait for the input of a different request.
    if (isWorker()) return read()
    reading ??= read()
    return reading
  }

  return {
    async find(kid) {
      const key =
        (await current(FRESH_MS)).keys.get(kid) ?? (await current(UNKNOWN_EVERY_MS)).keys.get(kid)
      if (key) return key
      throw new MandateTokenError(
        'key_unknown',
        `${issuer} does not publish the key that the token names. The token is forged, or its key was retired.`,
      )
    },
  }
}

/** Not every runtime has `navigator`. */
function isWorker(): boolean {
  const { navigator } = globalThis as { navigator?: { readonly userAgent?: string } }
  return navigator?.userAgent === 'Cloudflare-Workers'
}

/** The absolute difference, so that a clock that was set back does not keep old keys for long. */
function ageOf(at: number): number {
  return Math.abs(Date.now() - at)
}

async function fetchKeys(issuer: string, send: Fetch): Promise<Map<string, Key>> {
  const url = `${issuer}/.well-known/jwks.json`
  try {
    const response = await send(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      // A redirect would let a different server choose the keys. Workers do not know `error`.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.status !== 200) throw new Error(`The status is ${response.status}.`)
    const bytes = await readBytes(response.body, BYTES_MAX)
    if (!bytes) throw new Error(`The answer has more than ${BYTES_MAX} bytes.`)
    return await importKeys(JSON.parse(new TextDecoder().decode(bytes)))
  } catch (cause) {
    throw new MandateTokenError(
      'keys_unavailable',
      `Could not read the keys at ${url}. Try again later, and check that the issuer is the public address of the gateway.`,
      cause,
    )
  }
}

async function importKeys(set: unknown): Promise<Map<string, Key>> {
  const listed = isFields(set) ? set['keys'] : undefined
  if (!Array.isArray(listed)) throw new Error('The answer is not a set of keys.')
  const keys = new Map<string, Key>()
  for (const jwk of listed.slice(0, KEYS_MAX)) {
    const point = isFields(jwk) ? readPoint(jwk) : undefined
    const key = point && (await importKey(point))
    if (key) keys.set(point.kid, key)
  }
  return keys
}

interface Point {
  readonly kid: string
  readonly x: string
  readonly y: string
}

/** Returns undefined for a key that cannot verify a mandate token. */
function readPoint(jwk: Readonly<Record<string, unknown>>): Point | undefined {
  const { kty, crv, kid, x, y, alg = 'ES256', use = 'sig' } = jwk
  if (kty !== 'EC' || crv !== 'P-256' || alg !== 'ES256' || use !== 'sig') return undefined
  if (typeof kid !== 'string' || typeof x !== 'string' || typeof y !== 'string') return undefined
  return { kid, x, y }
}

/** Returns undefined if the point is not on the curve. */
async function importKey({ x, y }: Point): Promise<Key | undefined> {
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  try {
    return await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  } catch {
    return undefined
  }
}
