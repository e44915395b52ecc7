import type { App } from '../../src/http/app.ts'

/** The part of JSON schema that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly uniqueItems?: boolean
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

export interface Parameter {
  readonly in: 'query' | 'path' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: unknown
}

interface Content {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: unknown
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, Content>>
  }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
        readonly content: Record<string, Content>
      }
    >
  >
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Operation extends DocumentedOperation {
  readonly method: Method
  /** The path as in the document, such as /api/v1/agents/{id}. */
  readonly path: string
  readonly body: Schema | undefined
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<
      Record<string, { readonly description: string; readonly required: boolean }>
    >
  }
}

/**
 * Apps with the same routes have the same document. Writing one takes most of a second of CPU, so the
 * files of a worker share it.
 */
export function readDocument(app: App): Promise<OpenApiDocument> {
  const routes = app.printRoutes()
  // A plugin creates the document, and the plugin's type covers only some of its shapes.
  const document = documents.get(routes) ?? (app.readDocument() as Promise<OpenApiDocument>)
  documents.set(routes, document)
  return document
}

const documents = new Map<string, Promise<OpenApiDocument>>()

/**
 * Lists every operation of the document, so that tests based on this list cover a new endpoint
 * automatically.
 */
export function listOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      ...(operation.parameters && {
        parameters: operation.parameters.map((one) => withWholeSchema(document, one)),
      }),
      method: method.toUpperCase() as Method,
      path,
      body: operation.requestBody?.content['application/json']?.schema,
    })),
  )
}

/** A list of values is a named schema. Keywords beside the reference take precedence. */
function withWholeSchema(document: OpenApiDocument, parameter: Parameter): Parameter {
  const { $ref: _, ...said } = parameter.schema
  return { ...parameter, schema: { ...resolveSchema(document, parameter.schema), ...said } }
}

/** Whether the schema accepts values of this type, alone or among others. */
export function isOfType({ type }: Schema, name: string): boolean {
  return typeof type === 'string' ? type === name : (type?.includes(name) ?? false)
}

/** Follows a reference; returns anything else unchanged. */
export function resolveSchema(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace('#/components/schemas/', '')
  const found = document.components.schemas[name]
  if (!found) throw new Error(`The document has no schema ${name}.`)
  return resolveSchema(document, found)
}

/** The codes of the problems that the document declares for a status of an operation. */
export function codesIn(response: Operation['responses'][string] | undefined): string[] {
  return [...(response?.description ?? '').matchAll(/`([a-z_0-9]+)`/g)].map(([, code = '']) => code)
}

export function parametersOf(operation: Operation, place: Parameter['in']): Parameter[] {
  return (operation.parameters ?? []).filter((parameter) => parameter.in === place)
}

/** The document's example for a parameter, or else the first listed value or the default. */
export function exampleParameter({ example, schema }: Parameter): unknown {
  const [listed] = schema.examples ?? schema.enum ?? []
  if (schema.type === 'boolean') return true
  return example ?? listed ?? schema.default
}

/** The document's example of a success, in one of its content types. */
export function exampleAnswer(
  document: OpenApiDocument,
  { responses }: Operation,
  type: string,
): unknown {
  const content = responses['200']?.content[type]
  if (!content) return undefined
  return content.example ?? resolveSchema(document, content.schema).examples?.[0]
}

/** The body of the document's own example; undefined for an operation without a body. */
export function exampleBody(document: OpenApiDocument, operation: Operation): unknown {
  if (!operation.body) return undefined
  const variants = [operation.body, ...(operation.body.anyOf ?? [])]
  const schemas = variants.map((schema) => resolveSchema(document, schema))
  const stated = operation.requestBody?.content['application/json']?.example
  return stated ?? schemas.find(({ examples }) => examples)?.examples?.[0]
}
