import type { Scope } from './api-key.ts'
import type { Instant } from './time/instant.ts'

/** Who sends a request, and what they may do: an API key, or a member who has signed in. */
export interface Principal {
  readonly kind: 'key' | 'member'
  readonly id: string
  readonly organizationId: string
  /** What people call it. */
  readonly name: string
  /** How logs name it. Nothing secret. */
  readonly prefix: string
  /** Null: all scopes. */
  readonly scopes: readonly Scope[] | null
  /** Null: not bound. Otherwise it acts only for these agents. */
  readonly agentIds: readonly string[] | null
  /** When it ends by itself; null: never. */
  readonly expiresAt: Instant | null
}
