import { createHash } from 'node:crypto'

/** The secrets that must not enter our tables in a merchant's text. */
export interface Hidden {
  readonly plain: readonly (string | null)[]
  /** The digest of a token that is no longer stored. */
  readonly digest: TokenDigest | null
}

interface TokenDigest {
  readonly of: string
  readonly hash: Buffer
}

export type Hide = (text: string) => string

const STANDS_FOR_IT = '…'
/** Shorter texts are not secrets, and are part of many other texts. */
const SECRET_MIN = 4
/** Protocol words that decide about money. They are never secrets, so they stay. */
const WORDS: ReadonlySet<string> = new Set([
  ...['incomplete', 'not_ready_for_payment', 'requires_escalation', 'authentication_required'],
  ...['ready_for_payment', 'pending_approval', 'complete_in_progress', 'completed', 'canceled'],
  ...['in_progress', 'expired', 'total', 'failed', 'pending'],
])
/** The forms in which a text can contain a token: alone, or as part of a URL. */
const PARTS: readonly RegExp[] = [/[\w.~+/=-]{4,}/g, /[\w.-]{4,}/g, /[\w-]{4,}/g]

/** Hashes a token, so that it can be recognized after it is no longer stored. */
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

/** Replaces them in every text and every name of a document. */
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
