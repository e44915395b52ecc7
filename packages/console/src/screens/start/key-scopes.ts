import type { Scope } from '@purser/sdk'

/** A program that spends: it asks, settles and reads, and cannot change its own permissions. */
export const KEY_SCOPES: readonly Scope[] = [
  ...(['gateway:read', 'gateway:write', 'transactions:read', 'transactions:write'] as const),
  ...(['agents:read', 'mandates:read', 'approvals:read', 'vendors:read'] as const),
]
