import { isSameJson } from '@purser/audit'
import { parseUrl } from '../base/parse-url.ts'
import type { Actor } from './actor.ts'
import type { Instant } from './time/instant.ts'

/** The operations on each kind of thing. */
const DONE = {
  agent: ['created', 'updated', 'deleted', 'tokens_revoked'],
  mandate: [
    ...(['created', 'updated', 'activated', 'revoked', 'budget_changed'] as const),
    ...(['deleted', 'archived', 'tokens_revoked'] as const),
  ],
  mandate_token: ['revoked'],
  payment_token: ['created', 'handed_out', 'ended'],
  vendor: ['created', 'updated'],
  api_key: ['created', 'replaced', 'revoked'],
  wallet: ['created'],
  card: ['created', 'updated'],
  card_connection: ['created', 'updated'],
  organization: ['created', 'updated', 'plan_changed', 'webhook_secret_rotated', 'pruned'],
  transaction: ['settled', 'voided', 'refunded'],
  approval: ['decided'],
  member: [
    ...(['joined', 'updated', 'removed', 'reset_link_created', 'password_reset'] as const),
    ...(['passkey_added', 'passkey_renamed', 'passkey_removed', 'recovery_codes_created'] as const),
  ],
  invitation: ['created', 'withdrawn'],
  sign_in: ['succeeded', 'failed', 'locked', 'refused'],
} as const

type Thing = keyof typeof DONE

/**
 * All operations of an organization's people and operators. The word before the dot is the kind of
 * thing.
 */
export type Operation = { [T in Thing]: `${T}.${(typeof DONE)[T][number]}` }[Thing]

export const OPERATIONS: readonly string[] = Object.entries(DONE).flatMap(([thing, done]) =>
  done.map((what) => `${thing}.${what}`),
)

export type Fields = Readonly<Record<string, unknown>>

/** A change as its author describes it: the subject as the API shows it, before and after. */
export interface NewChange {
  readonly operation: Operation
  /** The API's id of the changed thing. */
  readonly subjectId: string
  readonly at: Instant
  /** Null: it did not exist. */
  readonly before: Fields | null
  /** Null: it no longer exists. */
  readonly after: Fields | null
}

/** A change as it is stored. */
export interface Change extends NewChange {
  readonly id: string
  /** Its number in the organization's feed, among the events. */
  readonly number: bigint
  readonly actor: Actor
  readonly subjectType: string
}

/** Fields that the row has by itself, and fields that change without an action of a person. */
const UNTOLD: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'lastSeenAt',
  'lastUsedAt',
  'health',
  // The record has the change of `frozen`, its time and author, and the reason.
  ...['frozenAt', 'frozenBy', 'frozenByName', 'frozenReason'],
  'warnings',
])

/** URLs that may carry a secret in their path or query, as those of many receivers do. */
const ADDRESSES: ReadonlySet<string> = new Set(['webhookUrl', 'signerUrl', 'messageChatUrl'])
const ENDPOINTS = 'webhookEndpoints'

/**
 * Stores only the differences, so a change is at most as large as the content of one request, before
 * and after. Undefined if nothing differs: then there was no change.
 */
export function onlyDifferences(
  change: NewChange,
): Pick<NewChange, 'before' | 'after'> | undefined {
  const { before, after } = change
  if (before === null || after === null) return { before: told(before), after: told(after) }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const differing = [...names].filter(
    (name) => !UNTOLD.has(name) && !isSameJson(before[name], after[name]),
  )
  if (differing.length === 0) return undefined
  return { before: told(before, differing), after: told(after, differing) }
}

function told(fields: Fields | null, names?: readonly string[]): Fields | null {
  if (fields === null) return null
  const all = names ?? Object.keys(fields).filter((name) => !UNTOLD.has(name))
  const shown = all.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, withoutSecrets(name, fields[name])]))
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (name === ENDPOINTS && Array.isArray(value)) return value.map(withoutUrl)
  return ADDRESSES.has(name) && typeof value === 'string' ? receiverOf(value) : value
}

function withoutUrl(endpoint: Fields): Fields {
  return { ...endpoint, url: receiverOf(String(endpoint['url'])) }
}

/** Names the receiver of a URL, without the parts that only the receiver should know. */
export function receiverOf(address: string): string {
  const url = parseUrl(address)
  if (url === undefined) return '…'
  const { protocol, host, pathname, search } = url
  return `${protocol}//${host}${pathname === '/' && search === '' ? '/' : '/…'}`
}
