import { hash } from 'node:crypto'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { type KeySet, REREAD_MS, readKeySet, type SigningKey } from './signing-keys.ts'

/** The keys of the installation, as this process knows them. */
export interface KeyRing {
  /** The key that signs at this instant, and the secret of hashes. */
  signer(): Promise<{ readonly key: SigningKey; readonly hashSecret: Buffer }>
  /** Undefined for a key that is not published. */
  find(kid: string): Promise<SigningKey | undefined>
  /** The public keys, as anybody may fetch them, with a tag that changes with them. */
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
 * A key that is not known may have been made by another process a moment ago. Names are easily made
 * up, so they cause one reading in this time, however many come.
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

  /** The set, read again if it is older than this. Those who ask meanwhile share one reading. */
  function current(ageMaxMs: number): Promise<Known> {
    // A clock that was set back must not keep a set for long.
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
