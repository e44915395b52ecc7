/** A JSON schema of the document. */
export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: string | number | boolean | null
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface WrittenParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface WrittenOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly WrittenParameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** The parts of `openapi.json` that the SDK is made from. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const PREFIX = '#/components/schemas/'

/** The name in `#/components/schemas/<name>`. */
export function nameOf(reference: string): string {
  if (!reference.startsWith(PREFIX)) throw new Error(`${reference} does not name a schema.`)
  return reference.slice(PREFIX.length)
}

/** Follows a reference to the schema that it names. */
export function resolve(document: OpenApi, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[nameOf(schema.$ref)]
  if (!found) throw new Error(`The document has no schema ${schema.$ref}.`)
  return found
}

/** The names of the schemas that a schema names directly. */
export function referencesOf(schema: Schema): string[] {
  if (schema.$ref !== undefined) return [nameOf(schema.$ref)]
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema
  const inner = [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...[...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])],
  ]
  return [...new Set(inner.flatMap(referencesOf))]
}
