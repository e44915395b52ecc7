// Written by `npm run generate` from openapi.json. Do not change it by hand.

/** A permission of an API key: an area and `read` or `write`. `write` includes `read`. */
export type Scope =
  | 'gateway:read'
  | 'gateway:write'
  | 'agents:read'
  | 'agents:write'
  | 'mandates:read'
  | 'mandates:write'
  | 'transactions:read'
  | 'transactions:write'
  | 'approvals:read'
  | 'approvals:write'
  | 'cards:read'
  | 'cards:write'
  | 'wallets:read'
  | 'wallets:write'
  | 'vendors:read'
  | 'vendors:write'
  | 'keys:read'
  | 'keys:write'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'organization:read'
  | 'organization:write'
  | 'audit:read'
  | 'audit:write'

export interface ApiKeyInput {
  /**
   * A name for people to read, 1 to 120 characters, without control and invisible characters.
   * Required unless `replaces` is sent.
   */
  readonly name?: string | undefined
  /**
   * The operations that the key may call. Default: gateway:read, gateway:write, transactions:read,
   * transactions:write for an agent-bound key, and every scope for any other key.
   */
  readonly scopes?: readonly Scope[] | null | undefined
  /**
   * Binds the key to these agents, at most 100. An agent-bound key acts only for its agents and can
   * never approve requests or change mandates.
   */
  readonly agentIds?: readonly string[] | null | undefined
  /**
   * Rotates this key: the new key takes its name, scopes and agents, unless you send others, and
   * the replaced key expires after `overlapSeconds`.
   */
  readonly replaces?: string | undefined
  /**
   * How many seconds the replaced key remains valid, at most 7 days. Default: 0, it expires at
   * once. A key never gets a later expiry than it has.
   */
  readonly overlapSeconds?: number | undefined
  /** When the key expires (ISO 8601, UTC). Null (default): never. */
  readonly expiresAt?: string | null | undefined
}

/** A warning about something that you should change about the key. */
export interface ApiKeyWarning {
  /** The warning's code. */
  readonly code: string
  /** The recommended change and its reason. */
  readonly message: string
}

export interface CreatedApiKey {
  /** The id of the API key. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** The public prefix of the key. */
  readonly prefix: string
  /** The operations that the key may call. Null: every scope. */
  readonly scopes: readonly Scope[] | null
  /** The agents that the key is bound to. Null: the key is not bound to agents. */
  readonly agentIds: readonly string[] | null
  /** When the key expires (ISO 8601, UTC). Null: never. */
  readonly expiresAt: string | null
  /**
   * When the key was last used (ISO 8601, UTC), accurate to the minute. Null if it was never used.
   */
  readonly lastUsedAt: string | null
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly createdBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly createdByName?: string | null | undefined
  /** When the key was revoked (ISO 8601, UTC). Null if it was not. Only in the list of keys. */
  readonly revokedAt?: string | null | undefined
  /** Warnings about the key, usually none. */
  readonly warnings: readonly ApiKeyWarning[]
  /** The API key itself. Only this response shows it. */
  readonly apiKey: string
}

/** `active`: keys that are not revoked. `revoked`: only revoked keys. `all`: both. */
export type ApiKeyStatusFilter = 'active' | 'revoked' | 'all'

export interface ApiKey {
  /** The id of the API key. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** The public prefix of the key. */
  readonly prefix: string
  /** The operations that the key may call. Null: every scope. */
  readonly scopes: readonly Scope[] | null
  /** The agents that the key is bound to. Null: the key is not bound to agents. */
  readonly agentIds: readonly string[] | null
  /** When the key expires (ISO 8601, UTC). Null: never. */
  readonly expiresAt: string | null
  /**
   * When the key was last used (ISO 8601, UTC), accurate to the minute. Null if it was never used.
   */
  readonly lastUsedAt: string | null
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly createdBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly createdByName?: string | null | undefined
  /** When the key was revoked (ISO 8601, UTC). Null if it was not. Only in the list of keys. */
  readonly revokedAt?: string | null | undefined
  /** Warnings about the key, usually none. */
  readonly warnings: readonly ApiKeyWarning[]
}

export interface ApiKeyList {
  /** The entries of this page, newest first. */
  readonly data: readonly ApiKey[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface RevokedApiKey {
  /** The id of the API key. */
  readonly id: string
  /** The key is revoked. */
  readonly revoked: true
  /** How many keys were revoked, including this one. */
  readonly revokedKeys: number
}

/** The query of “List API keys without their secrets, newest first”. */
export interface ListApiKeysQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only keys that are bound to this agent. */
  readonly agentId?: string | undefined
  /**
   * `active` (default): keys that are not revoked, also expired ones. `revoked`: only revoked keys.
   * `all`: both.
   */
  readonly status?: ApiKeyStatusFilter | undefined
}

/** The query of “Revoke an API key within a second”. */
export interface RevokeApiKeyQuery {
  /** If true, also revoke all keys that this key has created, directly or through other keys. */
  readonly withDescendants?: boolean | undefined
}
