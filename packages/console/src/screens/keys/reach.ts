import type { ApiKey, Scope } from '@purser/sdk'
import { countOf } from '../../words/text.ts'

/** The scopes of an agent-bound key, unless its creator chose others. */
export const SPEND_SCOPES = [
  ...(['gateway:read', 'gateway:write'] as const),
  ...(['transactions:read', 'transactions:write'] as const),
] as const satisfies readonly Scope[]

export type Reach = 'spends' | 'reads' | 'everything' | 'custom'

/** The scopes in the order of the rail, with the words of the form. */
export const SCOPE_AREAS: readonly {
  readonly area: string
  readonly word: string
  readonly write: string
}[] = [
  { area: 'gateway', word: 'Spends', write: 'request, settle and test them' },
  { area: 'transactions', word: 'Transactions', write: 'settle, void and refund them' },
  { area: 'approvals', word: 'Approvals', write: 'decide them' },
  { area: 'agents', word: 'Agents', write: 'create, pause and delete them' },
  { area: 'mandates', word: 'Mandates', write: 'write and activate them' },
  { area: 'vendors', word: 'Vendors', write: 'change the directory' },
  { area: 'wallets', word: 'Wallets', write: 'create them' },
  { area: 'cards', word: 'Cards', write: 'register, pause and close them' },
  { area: 'webhooks', word: 'Webhooks', write: 'send test events, send again' },
  { area: 'keys', word: 'API keys', write: 'create and revoke them' },
  { area: 'organization', word: 'Organization', write: 'change the settings' },
  { area: 'audit', word: 'Audit log', write: 'record heads of the log' },
]

export const READ_SCOPES: readonly Scope[] = SCOPE_AREAS.map(({ area }) => `${area}:read` as Scope)

/** Scopes that a key for agents can use. The others are of no use to it. */
const BOUND_AREAS = new Set(['gateway', 'transactions', 'approvals', 'agents', 'mandates'])

export function areasFor(isBound: boolean) {
  return isBound ? SCOPE_AREAS.filter(({ area }) => BOUND_AREAS.has(area)) : SCOPE_AREAS
}

/** The kind of reach that a list of scopes amounts to. */
export function reachOf(scopes: readonly Scope[] | null): Reach {
  if (scopes === null) return 'everything'
  const set = new Set(scopes)
  if (set.size === SPEND_SCOPES.length && SPEND_SCOPES.every((scope) => set.has(scope))) {
    return 'spends'
  }
  return scopes.every((scope) => scope.endsWith(':read')) ? 'reads' : 'custom'
}

/** The permissions of a key, in a word: "Spend", "Read", "Everything", "6 scopes". */
export function reachWord(scopes: readonly Scope[] | null): string {
  const reach = reachOf(scopes)
  if (reach === 'custom') return countOf(scopes?.length ?? 0, 'scope')
  return { spends: 'Spend', reads: 'Read', everything: 'Everything' }[reach]
}

/** The permissions of a key, as a sentence about it: "spend for Research agent, and read …". */
export function reachSentence(scopes: readonly Scope[] | null, agents: string | null): string {
  const reach = reachOf(scopes)
  const whose = agents === null ? 'every agent' : agents
  if (reach === 'everything') return 'do everything that the API can do'
  if (reach === 'spends') {
    return agents === null
      ? 'spend for every agent, and read all transactions'
      : `spend for ${whose}, and read its own mandate and transactions`
  }
  if (reach === 'reads') return `read, and change nothing, for ${whose}`
  return `${(scopes ?? []).join(', ')}, for ${whose}`
}

/** Whether the key can create and revoke keys now. The gateway always keeps one such key. */
export function managesKeys(key: ApiKey, now: number): boolean {
  const isExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= now
  const mayWrite = key.scopes === null || key.scopes.includes('keys:write')
  return !key.revokedAt && !isExpired && key.agentIds === null && mayWrite
}

/** Whether no key that manages keys would be left after these are revoked. */
export function leavesNoManager(
  keys: readonly ApiKey[],
  gone: ReadonlySet<string>,
  now: number,
): boolean {
  return !keys.some((key) => !gone.has(key.id) && managesKeys(key, now))
}

/** The active keys that a key created, directly or through other keys, also revoked ones. */
export function madeBy(keys: readonly ApiKey[], id: string): readonly ApiKey[] {
  const makers = new Set([id])
  const made = new Set<ApiKey>()
  for (let before = -1; before !== made.size; ) {
    before = made.size
    for (const key of keys) {
      if (key.createdBy === null || !makers.has(key.createdBy) || key.id === id) continue
      makers.add(key.id)
      made.add(key)
    }
  }
  return [...made].filter((key) => !key.revokedAt)
}
