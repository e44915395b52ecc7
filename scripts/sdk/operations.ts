import { type OpenApi, resolve, type Schema, type WrittenOperation } from './document.ts'
import { type MethodName, namesOf } from './method-names.ts'

/** An operation, as the SDK calls it. */
export interface Operation {
  readonly id: string
  /** The place in the tree: `['webhooks', 'deliveries', 'list']`. */
  readonly name: MethodName
  readonly method: string
  /** The path below `/api/v1`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** The codes of the problems that only some operations have, in the order of the document. */
  readonly codes: readonly string[]
  readonly pathParameters: readonly string[]
  readonly query: Schema | undefined
  readonly body: Schema | undefined
  readonly isInputRequired: boolean
  readonly answer: Schema | undefined
  /** Whether the only answers are streams: no JSON. */
  readonly isStream: boolean
  readonly paging: 'cursor' | 'offset' | undefined
  readonly isDecision: boolean
}

const API = '/api/v1'
const JSON_TYPE = 'application/json'

/** The operations of the API, in the order of the document. */
export function readOperations(document: OpenApi): Operation[] {
  const written = Object.entries(document.paths).flatMap(([path, methods]) => {
    if (!path.startsWith(`${API}/`)) return []
    return Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice(API.length),
      operation,
    }))
  })
  const names = namesOf(
    written.map(({ method, path, operation }) => ({
      ...{ method, path, id: operation.operationId },
      isPage: isPage(document, answerOf(operation)),
    })),
  )
  return withOwnCodes(
    written.map(({ method, path, operation }) => {
      const name = names.get(operation.operationId)
      if (!name) throw new Error(`${operation.operationId} has no name.`)
      return readOperation(document, { method, path, operation, name })
    }),
  )
}

/** Leaves out the codes that all operations of the same HTTP method have, such as `rate_limited`. */
function withOwnCodes(operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => {
    const alike = operations.filter(({ method }) => method === operation.method)
    const isOwn = (code: string) => !alike.every(({ codes }) => codes.includes(code))
    return { ...operation, codes: operation.codes.filter(isOwn) }
  })
}

interface Written {
  readonly method: string
  readonly path: string
  readonly operation: WrittenOperation
  readonly name: MethodName
}

function readOperation(document: OpenApi, { method, path, operation, name }: Written): Operation {
  const { operationId: id, summary = '', description = '', tags = [], parameters = [] } = operation
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
  const query = parameters.some((one) => one.in === 'query') ? queryOf(operation) : undefined
  const body = operation.requestBody?.content[JSON_TYPE]?.schema
  if (query && body) throw new Error(`${id} has a query and a body. The SDK sends one input.`)
  const answer = answerOf(operation)
  const isList = method === 'GET' && isPage(document, answer)
  const hasCursor = query?.properties?.['cursor'] !== undefined
  return {
    ...{ id, name, method, path, summary, description, pathParameters, query, body, answer },
    tag: tags[0] ?? 'Common',
    codes: codesOf(document, operation),
    isInputRequired: isRequired(document, operation, query, body),
    isStream: answer === undefined,
    paging: isList ? (hasCursor ? 'cursor' : 'offset') : undefined,
    isDecision: method === 'POST' && pathParameters.length === 0 && isDecision(document, answer),
  }
}

/** The parameters of the query as one object. */
function queryOf({ operationId, summary, parameters = [] }: WrittenOperation): Schema {
  const fields = parameters.filter((one) => one.in === 'query')
  return {
    title: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`,
    description: `The query of “${summary}”.`,
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: fields.filter((one) => one.required === true).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** The answer of a success. An operation that can also start a task has two. */
function answerOf({ responses }: WrittenOperation): Schema | undefined {
  const answers = ['200', '202'].flatMap((status) => {
    return responses[status]?.content?.[JSON_TYPE]?.schema ?? []
  })
  return answers.length > 1 ? { anyOf: answers } : answers[0]
}

/** A page has entries, and says whether more follow. */
function isPage(document: OpenApi, answer: Schema | undefined): boolean {
  if (!answer) return false
  const { properties = {} } = resolve(document, answer)
  return properties['data']?.type === 'array' && properties['hasMore'] !== undefined
}

/**
 * Whether each variant of the answer has a `decision` about a spend. Only operations that request a
 * decision count: a stored transaction also has one, but to read it is no request to spend.
 */
function isDecision(document: OpenApi, answer: Schema | undefined): boolean {
  if (!answer) return false
  const schema = resolve(document, answer)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) return variants.every((variant) => isDecision(document, variant))
  return schema.properties?.['decision'] !== undefined
}

function isRequired(
  document: OpenApi,
  { requestBody }: WrittenOperation,
  query: Schema | undefined,
  body: Schema | undefined,
): boolean {
  if (query) return (query.required ?? []).length > 0
  if (!body || requestBody?.required !== true) return false
  return !(body.anyOf ?? []).some((one) => resolve(document, one).type === 'null')
}

/** The codes of the operation's problems. The document lists them in a schema of their own. */
function codesOf(document: OpenApi, { operationId }: WrittenOperation): readonly string[] {
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}ProblemCode`
  return (document.components.schemas[name]?.enum ?? []).map(String)
}
