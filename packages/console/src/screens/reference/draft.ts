import type { ApiDocument } from '../../data/openapi.ts'
import type { Entry } from './contents.ts'
import { bodyExample } from './example.ts'

/** The content of the form. The body is text, because half-typed JSON is not JSON. */
export interface Draft {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly body: string
}

/** The form as it begins: with the examples of the document. */
export function draftOf(document: ApiDocument, entry: Entry): Draft {
  const { parameters = [] } = entry.operation
  const params = parameters.filter((one) => one.in === 'path')
  const required = parameters.filter((one) => one.in === 'query' && one.required === true)
  const isPaged = parameters.some(({ name }) => name === 'limit')
  const body = bodyExample(document, entry)
  const query = new URLSearchParams([
    ...required.map(({ name, example }): [string, string] => [name, String(example ?? '')]),
    ...(isPaged ? [['limit', '10'] as [string, string]] : []),
  ])
  return {
    params: Object.fromEntries(
      params.map(({ name, example, schema }) => [
        name,
        String(example ?? schema.examples?.[0] ?? ''),
      ]),
    ),
    query: query.toString(),
    body: body === undefined ? '' : JSON.stringify(body, null, 2),
  }
}

/** The value of the text; undefined if it is empty or no JSON. */
export function bodyOf(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
