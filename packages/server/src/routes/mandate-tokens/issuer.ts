import { Problem } from '../../base/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Write } from '../../http/idempotency.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { MandateTokens } from '../../tokens/mandate-tokens.ts'

/** The parts that the endpoints of mandate tokens need. */
export interface TokenParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly write: Write
  readonly now: () => number
  readonly clock: DatabaseClock
  readonly tokens: MandateTokens
  /** The gateway's public URL. Undefined if it is not configured. */
  readonly publicUrl: () => string | undefined
  /** Whether a token's audience may be a program on this machine, without https. */
  readonly allowsLoopback: boolean
}

/** Tokens name their issuer, and recipients know the gateway by that name. */
export function requireIssuer({ publicUrl }: Pick<TokenParts, 'publicUrl'>): string {
  const issuer = publicUrl()
  if (issuer !== undefined) return issuer
  throw new Problem(
    'public_url_missing',
    'Mandate tokens contain the public address of this gateway. Set PURSER_PUBLIC_URL to it, for example https://gateway.example, and restart the gateway.',
  )
}
