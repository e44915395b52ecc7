/** A schema of the document. The code checks its keywords one by one, so none is typed. */
export type SchemaNode = Readonly<Record<string, unknown>>

/**
 * The position of a schema: the named schema or operation that contains it, and the fields down to it.
 */
export interface Place {
  readonly owner: string
  readonly fields: readonly string[]
}

/** Returns the replacement of a schema. The schemas inside it have been changed already. */
export type ChangeSchema = (schema: SchemaNode, place: Place) => SchemaNode

interface Content {
  readonly schema?: SchemaNode
  readonly example?: unknown
}

interface Body {
  readonly content?: Readonly<Record<string, Content>>
}

export interface RequestBody extends Body {
  readonly required?: boolean
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: SchemaNode
}

export interface DocumentedAnswer extends Body {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
}

export interface DocumentedOperation {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, DocumentedAnswer>>
}

type Operations = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

/** The parts of an OpenAPI document that hold schemas, before they are named. */
export interface WrittenDocument {
  readonly paths: Operations
  readonly webhooks?: Operations
  readonly components?: Readonly<Record<string, unknown>>
}

export function mapOperations(
  document: WrittenDocument,
  change: (operation: DocumentedOperation) => DocumentedOperation,
): WrittenDocument {
  const changed = (all: Operations): Operations =>
    mapValues(all, (methods) => mapValues(methods, change))
  const { paths, webhooks } = document
  return { ...document, paths: changed(paths), ...(webhooks && { webhooks: changed(webhooks) }) }
}

/** Changes every schema of the document. Examples and defaults are data and stay unchanged. */
export function mapSchemas(document: WrittenDocument, change: ChangeSchema): WrittenDocument {
  return mapOperations(document, (operation) => {
    const owner = inPascalCase(operation.operationId ?? '')
    const inBody = <Holder extends Body>(holder: Holder): Holder => ({
      ...holder,
      ...(holder.content && {
        content: mapValues(holder.content, (one) => withSchema(one, { owner, fields: [] }, change)),
      }),
    })
    const { parameters, requestBody, responses } = operation
    return {
      ...operation,
      ...(parameters && {
        parameters: parameters.map((one) => withSchema(one, { owner, fields: [one.name] }, change)),
      }),
      ...(requestBody && { requestBody: inBody(requestBody) }),
      responses: mapValues(responses, inBody),
    }
  })
}

function withSchema<Holder extends { readonly schema?: SchemaNode }>(
  holder: Holder,
  place: Place,
  change: ChangeSchema,
): Holder {
  return holder.schema ? { ...holder, schema: mapSchema(holder.schema, place, change) } : holder
}

const OF_FIELDS = ['properties', 'patternProperties']
const OF_LISTS = ['anyOf', 'oneOf', 'allOf']
const OF_ONE = ['items', 'additionalProperties', 'not']

function mapSchema(schema: SchemaNode, place: Place, change: ChangeSchema): SchemaNode {
  const { title } = schema
  const here = typeof title === 'string' ? { owner: title, fields: [] } : place
  const inner = (node: unknown, ...fields: readonly string[]): unknown =>
    isNode(node)
      ? mapSchema(node, { owner: here.owner, fields: [...here.fields, ...fields] }, change)
      : node
  const changed = mapValues(schema, (value, keyword) => {
    if (OF_ONE.includes(keyword)) return inner(value)
    if (OF_LISTS.includes(keyword) && Array.isArray(value)) return value.map((one) => inner(one))
    if (OF_FIELDS.includes(keyword) && isNode(value)) return mapValues(value, inner)
    return value
  })
  return change(changed, here)
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mapValues<Value, Changed>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Changed,
): Record<string, Changed> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

/** `transaction.approved` and `listAgents` as names of types: TransactionApproved, ListAgents. */
export function inPascalCase(...names: readonly string[]): string {
  const words = names.flatMap((name) => name.split(/[^A-Za-z0-9]+/))
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
