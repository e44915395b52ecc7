import type { ApiKey, ApiKeyInput, Scope } from '@purser/sdk'
import { READ_SCOPES, type Reach } from './reach.ts'

/** The content of the form for a new key. */
export interface KeyForm {
  readonly name: string
  readonly owner: 'agent' | 'all'
  readonly agentId: string
  readonly reach: Reach
  readonly scopes: readonly Scope[]
  /** Days until the key expires, or "never". */
  readonly days: string
}

export const EXPIRIES = [
  { value: 'never', label: 'Never, until someone revokes it' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
]

export const OVERLAPS = [
  { value: '0', label: 'It stops working at once' },
  { value: '3600', label: 'It works for 1 more hour' },
  { value: '86400', label: 'It works for 24 more hours' },
  { value: '604800', label: 'It works for 7 more days' },
]

const DAY_MS = 86_400_000

export function expiryIn(days: string, now: number): string | null {
  return days === 'never' ? null : new Date(now + Number(days) * DAY_MS).toISOString()
}

/** The request of a filled form. A key for an agent spends by default, so it needs no scopes. */
export function toKeyInput(form: KeyForm, now: number): ApiKeyInput {
  const isBound = form.owner === 'agent'
  const expiresAt = expiryIn(form.days, now)
  const scopes = scopesOf(form)
  return {
    name: form.name.trim(),
    ...(isBound ? { agentIds: [form.agentId] } : {}),
    ...(scopes === null ? {} : { scopes }),
    ...(expiresAt === null ? {} : { expiresAt }),
  }
}

function scopesOf({ owner, reach, scopes }: KeyForm): readonly Scope[] | null {
  if (reach === 'custom') return scopes
  if (owner === 'agent') return reach === 'reads' ? ['gateway:read', 'transactions:read'] : null
  if (reach === 'reads') return READ_SCOPES
  return reach === 'everything'
    ? null
    : ['gateway:read', 'gateway:write', 'transactions:read', 'transactions:write']
}

/** The inputs that are missing before the form can be sent, by field. */
export function missingIn(form: KeyForm): Partial<Record<'name' | 'agentId' | 'scopes', string>> {
  return {
    ...(form.name.trim() === '' ? { name: 'Give the key a name.' } : {}),
    ...(form.owner === 'agent' && form.agentId === '' ? { agentId: 'Choose the agent.' } : {}),
    ...(form.reach === 'custom' && form.scopes.length === 0
      ? { scopes: 'Choose one scope or more.' }
      : {}),
  }
}

/** A rotated key lives as long as the one that it replaces: the days from its creation. */
export function lifetimeDays({ createdAt, expiresAt }: ApiKey): string {
  if (expiresAt === null) return 'never'
  return String(Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS)))
}

export type KeySort = 'name' | 'used' | 'expires'

/** Newest first, unless a column is chosen. */
export function sortKeys(keys: readonly ApiKey[], sort: string | undefined): readonly ApiKey[] {
  if (sort === 'name') return keys.toSorted((a, b) => a.name.localeCompare(b.name))
  if (sort === 'used') {
    return keys.toSorted((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''))
  }
  if (sort === 'expires') {
    return keys.toSorted((a, b) => (a.expiresAt ?? '9').localeCompare(b.expiresAt ?? '9'))
  }
  return keys
}
