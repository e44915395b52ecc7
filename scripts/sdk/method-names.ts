/** The place of a method in the tree: the resources, then the method. */
export type MethodName = readonly string[]

interface Named {
  readonly id: string
  readonly method: string
  /** The path below `/api/v1`. */
  readonly path: string
  /** Whether the answer is a page of entries. */
  readonly isPage: boolean
}

/** The only names that do not follow the rule, because the path's words would read badly. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'GET /gateway/mandate-token': 'mandateTokens.get',
  'POST /gateway/mandate-token/introspect': 'mandateTokens.introspect',
  'POST /gateway/mandate-token/revoke': 'mandateTokens.revoke',
  'POST /gateway/card/authorize': 'cards.authorize',
  'POST /gateway/card/events': 'cards.reportEvent',
  'PATCH /mandates/{id}/budget': 'mandates.updateBudget',
  'POST /approvals/{id}/decision': 'approvals.decide',
  'POST /organization/webhook-secret/rotate': 'organization.rotateWebhookSecret',
}

/** Names every operation by its id. Two methods with one name are an error, as is a missing path. */
export function namesOf(operations: readonly Named[]): Map<string, MethodName> {
  const paths = new Set(operations.map(({ path }) => path))
  const keys = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  const unused = Object.keys(EXCEPTIONS).filter((key) => !keys.has(key))
  if (unused.length > 0) {
    throw new Error(`Remove the exceptions of operations that do not exist: ${unused.join(', ')}.`)
  }
  const names = new Map(operations.map((one) => [one.id, nameOf(one, paths)]))
  refuseClashes(names)
  return names
}

function nameOf(operation: Named, paths: ReadonlySet<string>): MethodName {
  const { method, path } = operation
  const exception = EXCEPTIONS[`${method} ${path}`]
  if (exception !== undefined) return exception.split('.')
  const segments = path.split('/').slice(1)
  // The gateway has two methods of its own. Its other paths are resources.
  if (segments[0] === 'gateway' && segments.length > 2) segments.shift()
  const words = segments.filter((segment) => !isParameter(segment)).map(inCamelCase)
  if (isParameter(segments.at(-1) ?? '')) return [...words, verbOf(operation, ON_ONE)]
  return isResource(operation, segments, paths) ? [...words, verbOf(operation, ON_ALL)] : words
}

/**
 * A path without an id at its end is a resource, unless its last word is an action on the resource
 * before it.
 */
function isResource(
  { id, method, path }: Named,
  segments: readonly string[],
  paths: ReadonlySet<string>,
): boolean {
  const hasEntries = [...paths].some((other) => other.startsWith(`${path}/{`))
  return segments.length === 1 || hasEntries || (method === 'POST' && id.startsWith('create'))
}

const ON_ONE: Readonly<Record<string, string>> = { GET: 'get', PATCH: 'update', DELETE: 'delete' }
const ON_ALL: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', PATCH: 'update' }

function verbOf({ method, path, isPage }: Named, verbs: Readonly<Record<string, string>>): string {
  const verb = verbs === ON_ALL && method === 'GET' && isPage ? 'list' : verbs[method]
  if (verb === undefined) throw new Error(`No rule names ${method} ${path}. Add an exception.`)
  return verb
}

/** A method must have a name of its own, which no group of methods has either. */
function refuseClashes(names: ReadonlyMap<string, MethodName>): void {
  const owners = new Map<string, string>()
  for (const [id, name] of names) {
    const other = owners.get(name.join('.'))
    if (other !== undefined) {
      throw new Error(`${id} and ${other} are both called ${name.join('.')}. Add an exception.`)
    }
    owners.set(name.join('.'), id)
  }
  for (const [id, name] of names) {
    for (let length = 1; length < name.length; length++) {
      const group = name.slice(0, length).join('.')
      const other = owners.get(group)
      if (other !== undefined) {
        throw new Error(`${other} is called ${group}, which also holds ${id}. Add an exception.`)
      }
    }
  }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

/** `audit-log` as `auditLog`. */
export function inCamelCase(word: string): string {
  return word.replace(/[-\s]+(\w)/g, (_, letter: string) => letter.toUpperCase())
}
