import type { Instant } from './time/instant.ts'

const AREAS = [
  'gateway',
  'agents',
  'mandates',
  'transactions',
  'approvals',
  'cards',
  'wallets',
  'vendors',
  'keys',
  'webhooks',
  'organization',
  'audit',
] as const

export type Scope = `${(typeof AREAS)[number]}:${'read' | 'write'}`

/** Every scope a key can have, in the order the documentation lists them. */
export const SCOPES: readonly Scope[] = AREAS.flatMap(
  (area) => [`${area}:read`, `${area}:write`] as const,
)

/** The scope for settling and voiding a hold. */
export const CLOSING_SCOPE = 'transactions:write' satisfies Scope

/**
 * The scopes of a key that is bound to agents and created without scopes: enough for an agent to spend,
 * to settle and void its own holds, and to see its limits and its spends.
 */
export const BOUND_KEY_SCOPES: readonly Scope[] = [
  'gateway:read',
  'gateway:write',
  'transactions:read',
  CLOSING_SCOPE,
]

/** Stands for the operator in `createdBy`. */
export const MADE_BY_CLI = 'cli'

/** A key as its owner sees it; the secret is not part of it. */
export interface ApiKey {
  readonly id: string
  readonly organizationId: string
  readonly prefix: string
  readonly name: string
  /** Null means all scopes. */
  readonly scopes: readonly Scope[] | null
  /** Null means not bound. A bound key acts only for these agents. */
  readonly agentIds: readonly string[] | null
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly createdAt: Instant
  /** The id of the key that created it, `mem_…` for a member, or `cli`; null if it was not stored. */
  readonly createdBy: string | null
}

/** Writing includes reading: a key that may change mandates may also look at them. */
export function hasScope(key: Pick<ApiKey, 'scopes'>, scope: Scope): boolean {
  if (key.scopes === null || key.scopes.includes(scope)) return true
  return key.scopes.some((held) => held === scope.replace(':read', ':write'))
}

/** The scopes of a key that the holder does not have. */
export function scopesBeyond(
  holder: Pick<ApiKey, 'scopes'>,
  { scopes }: Pick<ApiKey, 'scopes'>,
): Scope[] {
  return (scopes ?? SCOPES).filter((scope) => !hasScope(holder, scope))
}

/** The default agent of a request that names none: the only one that the key is bound to. */
export function onlyAgentOf({ agentIds }: Pick<ApiKey, 'agentIds'>): string | undefined {
  const [only, another] = agentIds ?? []
  return another === undefined ? only : undefined
}

/** Whether the key may act for the agent, or see its data. */
export function actsFor(key: Pick<ApiKey, 'agentIds'>, agentId: string): boolean {
  return key.agentIds === null || key.agentIds.includes(agentId)
}
