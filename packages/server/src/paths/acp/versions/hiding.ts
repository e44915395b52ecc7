import { createHash } from 'node:crypto'

/** What must not come back into our tables in a text of a merchant. */
export interface Hidden {
  readonly plain: readonly (string | null)[]
  /** Of a token that is not kept any more. */
  readonly digest: TokenDigest | null
}

interface TokenDigest {
  readonly of: string
  readonly hash: Buffer
}

export type Hide = (text: string) => string

const STANDS_FOR_IT = '…'
/** Shorter texts are no secrets, and stand in many others. */
const SECRET_MIN = 4
/** What decides about money is read from these, and nobody makes a secret of them. */
const WORDS: ReadonlySet<string> = new Set([
  ...['incomplete', 'not_ready_for_payment', 'requires_escalation', 'authentication_required'],
  ...['ready_for_payment', 'pending_approval', 'complete_in_progress', 'completed', 'canceled'],
  ...['in_progress', 'expired', 'total', 'failed', 'pending'],
])
/** How a token can stand in a text: by itself, or as a part of an address. */
const PARTS: readonly RegExp[] = [/[\w.~+/=-]{4,}/g, /[\w.-]{4,}/g, /[\w-]{4,}/g]

/** Identifies a token of a checkout without keeping it. */
export function digestOf(checkoutId: string, token: string): Buffer {
  return createHash('sha256').update(`${checkoutId}:${token}`).digest()
}

/** Replaces credentials and tokens that a merchant echoes. */
export function createHiding({ plain, digest }: Hidden): Hide {
  const pattern = patternOf(plain)
  return (text) => {
    if (WORDS.has(text)) return text
    const shown = pattern ? text.replace(pattern, STANDS_FOR_IT) : text
    return digest ? withoutToken(shown, digest) : shown
  }
}

/** The same for every text in a document, and every name. */
export function hideIn<Value>(value: Value, hide: Hide): Value
export function hideIn(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((entry) => hideIn(entry, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [hide(name), hideIn(field, hide)]),
  )
}

function patternOf(plain: Hidden['plain']): RegExp | undefined {
  const secrets = plain.flatMap((secret) => {
    if (secret === null || secret.length < SECRET_MIN) return []
    return [secret, encodeURIComponent(secret)]
  })
  if (secrets.length === 0) return undefined
  const longestFirst = secrets.sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(escaped).join('|'), 'gi')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

function withoutToken(text: string, digest: TokenDigest): string {
  return PARTS.reduce(
    (shown, part) => shown.replace(part, (word) => (isToken(word, digest) ? STANDS_FOR_IT : word)),
    text,
  )
}

function isToken(word: string, { of, hash }: TokenDigest): boolean {
  return digestOf(of, word).equals(hash)
}
