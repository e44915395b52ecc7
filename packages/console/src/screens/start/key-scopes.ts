import type { Scope } from '@purser/sdk'

/** A program that spends: it asks, settles and reads, and it cannot change what it may do. */
export const KEY_SCOPES: readonly Scope[] = [
  ...(['gateway:read', 'gateway:write', 'transactions:read', 'transactions:write'] as const),
  ...(['agents:read', 'mandates:read', 'approvals:read', 'vendors:read'] as const),
]
