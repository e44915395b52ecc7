import { isFields } from './merchant-text.ts'

/**
 * JSON with the names of each object in order, so that two documents with the same meaning have the
 * same text (the idea of RFC 8785; our documents hold no numbers that could be written in two ways).
 */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${toCanonicalJson(field)}`)
  return `{${entries.join(',')}}`
}
