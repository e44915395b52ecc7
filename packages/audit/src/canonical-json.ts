/** More than any record needs. It keeps a hostile text from overflowing the stack. */
const DEPTH_MAX = 64

/** Half of a surrogate pair: text that UTF-8 cannot encode. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Returns the canonical text of a JSON value (RFC 8785): no spaces, the names of an object in the
 * order of their UTF-16 units, numbers as JavaScript writes them. Hashes are computed from it, so
 * two values have the same text only if they are equal.
 *
 * Returns undefined for a value without such a text: a number that is not finite, half of a
 * surrogate pair, a type that JSON does not have (a bigint, a date), more than 64 levels. Undefined
 * fields of an object count as absent, as they do for `JSON.stringify`.
 */
export function toCanonicalJson(value: unknown): string | undefined {
  return textOf(value, 0)
}

/**
 * The same for a value that is certainly JSON, because a schema has accepted it or strict JSON was
 * parsed. Any other value is a bug.
 */
export function canonicalTextOf(value: unknown): string {
  const text = toCanonicalJson(value)
  if (text === undefined) throw new Error('A value that must be JSON has no canonical text.')
  return text
}

/** Whether two JSON values are equal, whatever the order of their names. Absent is not null. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other
  return canonicalTextOf(one) === canonicalTextOf(other)
}

function textOf(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return textOfString(value)
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : undefined
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth === DEPTH_MAX) return undefined
      return Array.isArray(value) ? textOfArray(value, depth) : textOfObject(value, depth)
    default:
      return undefined
  }
}

function textOfString(value: string): string | undefined {
  const text = JSON.stringify(value)
  // JSON.stringify escapes only unpaired halves, so nearly all texts end here.
  return text.includes('\\ud') && LONE_SURROGATE.test(value) ? undefined : text
}

function textOfArray(values: readonly unknown[], depth: number): string | undefined {
  let text = '['
  for (const value of values) {
    const inner = textOf(value, depth + 1)
    if (inner === undefined) return undefined
    text += text === '[' ? inner : `,${inner}`
  }
  return `${text}]`
}

function textOfObject(value: object, depth: number): string | undefined {
  // A date or a map would be written as `{}`, and the loss would go unnoticed.
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const fields = value as Readonly<Record<string, unknown>>
  let text = '{'
  // Without a compare function, names are sorted by their UTF-16 units.
  for (const name of Object.keys(fields).sort()) {
    const field = fields[name]
    if (field === undefined) continue
    const inner = textOf(field, depth + 1)
    const key = textOfString(name)
    if (inner === undefined || key === undefined) return undefined
    text += text === '{' ? `${key}:${inner}` : `,${key}:${inner}`
  }
  return `${text}}`
}
