import type { Scope } from './api-key.ts'
import type { Instant } from './time/instant.ts'

/** The sender of a request, and its permissions: an API key, or a signed-in member. */
export interface Principal {
  readonly kind: 'key' | 'member'
  readonly id: string
  readonly organizationId: string
  /** The name that its owner chose. Change records use it. */
  readonly name: string
  /** Its name in logs; not secret. */
  readonly prefix: string
  /** Null means all scopes. */
  readonly scopes: readonly Scope[] | null
  /** Null means not bound. Otherwise it acts only for these agents. */
  readonly agentIds: readonly string[] | null
  /** When it expires; null: never. */
  readonly expiresAt: Instant | null
}
