import { hash } from 'node:crypto'
import type { Instant } from '../core/time/instant.ts'
import type { Database } from '../storage/engine/database.ts'
import { countAttempts } from '../storage/people/sign-in-attempts.ts'
import { INSTALLATION, type Sealer } from '../storage/secrets/sealed.ts'

/** A person needs a moment to find the security key or the phone. */
export const CHALLENGE_MS = 5 * 60_000
const PURPOSE = 'passkey challenge'

/** The request that a challenge is for: a sign-in, or a new passkey of this member. */
export type ChallengeUse = 'sign-in' | `register ${string}`

/**
 * A challenge carries its own use and end, sealed, so that the gateway stores nothing when strangers
 * open the sign-in page. Any process can open it.
 */
export function issueChallenge(
  { sealer }: { readonly sealer: Sealer },
  use: ChallengeUse,
  now: Instant,
): string {
  const endsAt = now + CHALLENGE_MS
  return sealer.seal(INSTALLATION, PURPOSE, `${endsAt} ${use}`).toString('base64url')
}

/**
 * Whether the challenge was issued for this use, has not expired, and was not used before. Compares
 * bytes, because one value has several spellings in base64.
 */
export async function takeChallenge(
  { sealer, db }: { readonly sealer: Sealer; readonly db: Database },
  challenge: string,
  use: ChallengeUse,
  now: Instant,
): Promise<boolean> {
  const sealed = Buffer.from(challenge, 'base64url')
  const [, endsAt, issuedFor] = /^(\d+) (.*)$/.exec(openChallenge(sealer, sealed) ?? '') ?? []
  if (issuedFor !== use || Number(endsAt) <= now) return false
  // Counted like an attempt, because that is atomic over all processes and removed after its end.
  const subject = hash('sha256', Buffer.concat([Buffer.from('challenge '), sealed]))
  const [used] = await countAttempts(db, [subject], now, Number(endsAt))
  return used?.count === 1
}

/** Undefined for a value that this installation did not seal. */
function openChallenge(sealer: Sealer, sealed: Buffer): string | undefined {
  try {
    return sealer.open(INSTALLATION, PURPOSE, sealed)
  } catch {
    return undefined
  }
}
