import { curlOf } from '../../parts/curl.ts'
import { quotedCode } from '../../parts/quoted-code.ts'
import type { Entry } from './contents.ts'

/** A call as the person has filled it in. */
export interface CallInput {
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The query without its question mark. */
  readonly query: string
  /** The value of the body; undefined without one. */
  readonly body: unknown
}

const API = '/api/v1'

/** The path with its parameters and query. */
export function pathOf({ path }: Entry, { params, query }: CallInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return query.trim() === '' ? filled : `${filled}?${query.trim()}`
}

export function curlSample(entry: Entry, input: CallInput): string {
  const path = pathOf(entry, input).slice(API.length)
  const method = (entry.method ?? 'GET') as 'GET' | 'POST' | 'PATCH' | 'DELETE'
  return curlOf({ method, path, ...(input.body === undefined ? {} : { body: input.body }) })
}

/** The call of the SDK. A list is read to its end. */
export function typescriptSample(entry: Entry, input: CallInput): string {
  const [name = '', kind] = (entry.sdk ?? '').split(' ')
  const query = Object.fromEntries(new URLSearchParams(input.query))
  const given = input.body ?? (Object.keys(query).length > 0 ? typed(query) : undefined)
  const params = [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) =>
    literal(input.params[one] ?? ''),
  )
  const args = [...params, ...(given === undefined ? [] : [literal(given)])].join(', ')
  const call = `purser.${name}(${args})`
  const start = `import { Purser } from '@purser/sdk'\n\nconst purser = new Purser()\n`
  if (kind !== undefined) {
    return `${start}for await (const entry of ${call}) {\n  console.log(entry)\n}`
  }
  return `${start}const answer = await ${call}`
}

/** A query is text; numbers and truth values are not, in TypeScript. */
function typed(query: Readonly<Record<string, string>>): Record<string, unknown> {
  const value = (text: string) =>
    /^\d{1,9}(\.\d+)?$/.test(text)
      ? Number(text)
      : /^(true|false)$/.test(text)
        ? text === 'true'
        : text
  return Object.fromEntries(Object.entries(query).map(([name, text]) => [name, value(text)]))
}

/** A value as TypeScript writes it: plain names without quotes, texts in single quotes. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quotedCode(value)
  if (value === null || typeof value !== 'object') return String(value)
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const isFlat = value.every((one) => one === null || typeof one !== 'object')
    const parts = value.map((one) => literal(one, deeper))
    return isFlat
      ? `[${parts.join(', ')}]`
      : `[\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}]`
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  const lines = entries.map(([name, one]) => `${deeper}${nameOf(name)}: ${literal(one, deeper)},\n`)
  return `{\n${lines.join('')}${indent}}`
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedCode(name)
}
