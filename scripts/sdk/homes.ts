import { type OpenApi, referencesOf, type Schema } from './document.ts'
import type { Operation } from './operations.ts'

/** The file of the types that several tags share. */
export const COMMON = 'common'

export const WEBHOOKS_FILE = 'webhooks'

/**
 * Finds the file of every schema that the SDK has a type for. A schema that is the body or the answer
 * of an operation is in the file of the first such operation's tag. A schema inside others is in
 * their file, or in the common one if they are in several.
 */
export function findHomes(
  document: OpenApi,
  operations: readonly Operation[],
): Map<string, string> {
  const direct = homesByUse(document, operations)
  const inner = new Map<string, Set<string>>()
  const follow = (names: readonly string[], file: string) => {
    for (const name of names) {
      const files = inner.get(name) ?? new Set()
      if (direct.has(name) || files.has(file)) continue
      inner.set(name, files.add(file))
      follow(insideOf(document, name), file)
    }
  }
  for (const [name, file] of direct) follow(insideOf(document, name), file)
  for (const { tag, query } of operations) follow(query ? referencesOf(query) : [], fileOf(tag))
  const shared = [...inner].map(([name, [first = COMMON, ...others]]): [string, string] => [
    name,
    others.length === 0 ? first : COMMON,
  ])
  return new Map([...direct, ...shared])
}

/** The files of the bodies and answers. The first use counts. */
function homesByUse(document: OpenApi, operations: readonly Operation[]): Map<string, string> {
  const uses = operations.flatMap(({ tag, body, answer }) =>
    [body, answer].flatMap(namesAtTop).map((name): [string, string] => [name, fileOf(tag)]),
  )
  const webhooks = webhooksOf(document).map(([, name]): [string, string] => [name, WEBHOOKS_FILE])
  return new Map([
    ...['Problem', 'ProblemCode'].map((name): [string, string] => [name, COMMON]),
    ...[...uses, ...webhooks].reverse(),
  ])
}

function insideOf(document: OpenApi, name: string): string[] {
  const schema = document.components.schemas[name]
  if (!schema) throw new Error(`The document has no schema ${name}.`)
  return referencesOf(schema)
}

/** The schemas that an operation names as its whole body or answer, or as a variant of it. */
function namesAtTop(schema: Schema | undefined): string[] {
  if (!schema) return []
  if (schema.$ref !== undefined) return referencesOf(schema)
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(namesAtTop)
}

/** The schema of each webhook's body, by the event that sends it. */
export function webhooksOf(document: OpenApi): [event: string, name: string][] {
  return Object.entries(document.webhooks ?? {}).map(([event, methods]) => {
    const body = methods['post']?.requestBody?.content['application/json']?.schema
    const [name] = body ? referencesOf(body) : []
    if (name === undefined) throw new Error(`The webhook ${event} has no named body.`)
    return [event, name]
  })
}

/** `API keys` as `api-keys`. */
export function fileOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}
