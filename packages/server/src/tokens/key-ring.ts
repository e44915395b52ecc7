import { hash } from 'node:crypto'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { type KeySet, REREAD_MS, readKeySet, type SigningKey } from './signing-keys.ts'

/** The signing keys of the installation, cached in this process. */
export interface KeyRing {
  /** The key that signs at this instant, and the secret of the mandate hashes. */
  signer(): Promise<{ readonly key: SigningKey; readonly hashSecret: Buffer }>
  /** Returns undefined for a key that is not published. */
  find(kid: string): Promise<SigningKey | undefined>
  /** The public key set, with an ETag that changes with it. */
  published(): Promise<{ readonly text: string; readonly tag: string }>
}

interface RingParts {
  readonly db: Database
  readonly sealer: Sealer
  readonly clock: DatabaseClock
  readonly now: () => Instant
}

interface Known extends KeySet {
  readonly readAt: Instant
}

/**
 * An unknown key may be one that a different process has just created. Callers can invent key ids,
 * so unknown ids cause at most one read in this time.
 */
const UNKNOWN_EVERY_MS = 5_000

export function createKeyRing({ db, sealer, clock, now }: RingParts): KeyRing {
  let known: Known | undefined
  let reading: Promise<Known> | undefined

  async function read(): Promise<Known> {
    const readAt = await clock(db)
    known = { ...(await readKeySet({ db, sealer }, readAt)), readAt }
    return known
  }

  /**
   * Returns the key set, and reads it again if it is older than this. Concurrent callers share one
   * read.
   */
  function current(ageMaxMs: number): Promise<Known> {
    // The absolute difference, so that a clock that was set back does not keep an old set for long.
    if (known && Math.abs(now() - known.readAt) < ageMaxMs) return Promise.resolve(known)
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    async signer() {
      const { keys, hashSecret } = await current(REREAD_MS)
      const at = now()
      const key = keys.findLast(({ signsFrom }) => signsFrom <= at)
      if (!key) throw new Error('No signing key has begun to sign.')
      return { key, hashSecret }
    },
    async find(kid) {
      const sought = ({ keys }: Known) =>
        keys.find((key) => key.kid === kid && isPublished(key, now()))
      return sought(await current(REREAD_MS)) ?? sought(await current(UNKNOWN_EVERY_MS))
    },
    async published() {
      const { keys } = await current(REREAD_MS)
      const at = now()
      const shown = keys.filter((key) => isPublished(key, at)).map(({ publicJwk }) => publicJwk)
      const text = JSON.stringify({ keys: shown })
      return { text, tag: `"${hash('sha256', text, 'base64url')}"` }
    },
  }
}

function isPublished({ retiresAt }: SigningKey, at: Instant): boolean {
  return retiresAt === null || retiresAt > at
}
