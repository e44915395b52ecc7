import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { FIELD_ERRORS_MAX } from '../../base/errors.ts'
import { escapePointer } from './field-errors.ts'

/** The part of JSON schema about nested values. Ajv checks all other keywords. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string }
}

/** Lists the mistakes of a value that its schema refuses. */
export type FindMistakes = (value: unknown) => ErrorObject[]

/** One more than an answer lists, so that it can say that there are more. */
const MISTAKES_MAX = FIELD_ERRORS_MAX + 1

/** The state shared by all places of a value. */
interface Walk {
  judgeOf(schema: Schema): ValidateFunction
  readonly found: ErrorObject[]
}

/**
 * Ajv either stops at the first mistake or collects them all, and a body may hold a hundred
 * thousand. So this walks the value itself, lets Ajv check each place alone, and stops at a
 * maximum. A list that is too long is refused without checking its entries.
 */
export function createFindMistakes(ajv: Ajv, root: Schema): FindMistakes {
  const judges = new Map<Schema, ValidateFunction>()

  function judgeOf(schema: Schema): ValidateFunction {
    const judge = judges.get(schema) ?? ajv.compile(withoutContent(schema))
    judges.set(schema, judge)
    return judge
  }

  return (value) => {
    const walk: Walk = { judgeOf, found: [] }
    visit(walk, root, value, '')
    return walk.found
  }
}

function visit(walk: Walk, schema: Schema, value: unknown, path: string): void {
  if (isFull(walk)) return
  const tooLarge = findTooLarge(schema, value, path)
  if (tooLarge) {
    add(walk, tooLarge)
    return
  }
  const judge = walk.judgeOf(schema)
  const own = judge(value) ? [] : (judge.errors ?? [])
  for (const error of own) add(walk, { ...error, instancePath: path })
  if (own.some(({ keyword }) => keyword === 'type')) return
  if (schema.anyOf) visitAny(walk, schema.anyOf, value, path)
  else if (schema.oneOf) visitMember(walk, schema, value, path)
  else if (Array.isArray(value)) visitEntries(walk, schema, value, path)
  else if (isObject(value)) visitFields(walk, schema, value, path)
}

function visitEntries(walk: Walk, { items }: Schema, list: readonly unknown[], path: string): void {
  if (!items) return
  for (let at = 0; at < list.length && !isFull(walk); at++) {
    visit(walk, items, list[at], `${path}/${at}`)
  }
}

function visitFields(walk: Walk, schema: Schema, object: Fields, path: string): void {
  visitOthers(walk, schema, object, path)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(object, name)) visit(walk, field, object[name], toPointer(path, name))
  }
}

/** Checks the fields that the schema does not list. */
function visitOthers(walk: Walk, schema: Schema, object: Fields, path: string): void {
  const schemasOf = createOthers(schema)
  for (const name in object) {
    if (isFull(walk)) return
    if (Object.hasOwn(schema.properties ?? {}, name)) continue
    const schemas = schemasOf(name)
    if (!schemas) add(walk, unknownField(schema, path, name))
    for (const field of schemas ?? []) visit(walk, field, object[name], toPointer(path, name))
  }
}

/** Returns the schemas of an unlisted field; undefined if the field is not allowed. */
function createOthers({
  patternProperties = {},
  additionalProperties = true,
}: Schema): (name: string) => readonly Schema[] | undefined {
  const patterns = Object.entries(patternProperties).map(
    ([pattern, field]) => [new RegExp(pattern, 'u'), field] as const,
  )
  return (name) => {
    const fields = patterns.filter(([form]) => form.test(name)).map(([, field]) => field)
    if (fields.length > 0 || additionalProperties === true) return fields
    return additionalProperties === false ? undefined : [additionalProperties]
  }
}

/** Reports nothing if one of the schemas accepts the value. */
function visitAny(walk: Walk, schemas: readonly Schema[], value: unknown, path: string): void {
  const all: ErrorObject[] = []
  for (const schema of schemas) {
    const own: Walk = { ...walk, found: [] }
    visit(own, schema, value, path)
    if (own.found.length === 0) return
    all.push(...own.found)
  }
  for (const error of all) add(walk, error)
}

/** Checks a union value only against the member that its tag names. */
function visitMember(walk: Walk, schema: Schema, value: unknown, path: string): void {
  const tag = schema.discriminator?.propertyName
  if (tag === undefined || !isObject(value)) return
  const member = schema.oneOf?.find(
    ({ properties }) => constantOf(properties?.[tag]) === value[tag],
  )
  if (member && value[tag] !== undefined) visit(walk, member, value, path)
  else add(walk, toError('discriminator', schema, path, {}))
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isFull({ found }: Walk): boolean {
  return found.length >= MISTAKES_MAX
}

function add(walk: Walk, error: ErrorObject): void {
  if (!isFull(walk)) walk.found.push(error)
}

/** This check comes first, because even comparing the entries of a very long list takes long. */
function findTooLarge(schema: Schema, value: unknown, path: string): ErrorObject | undefined {
  const { maxItems, maxProperties } = schema
  if (Array.isArray(value)) {
    if (maxItems === undefined || value.length <= maxItems) return undefined
    return tooMany('maxItems', schema, path, maxItems)
  }
  if (maxProperties === undefined || !isObject(value)) return undefined
  if (Object.keys(value).length <= maxProperties) return undefined
  return tooMany('maxProperties', schema, path, maxProperties)
}

/** Uses the wording of Ajv. */
function tooMany(
  keyword: 'maxItems' | 'maxProperties',
  schema: Schema,
  path: string,
  limit: number,
): ErrorObject {
  const what = keyword === 'maxItems' ? 'items' : 'properties'
  const message = `must NOT have more than ${limit} ${what}`
  return { ...toError(keyword, schema, path, { limit }), message }
}

/** Returns the schema of one place, without nested schemas. */
function withoutContent(schema: Schema): object {
  const { properties, patternProperties, additionalProperties, items, ...rest } = schema
  const { anyOf, oneOf, discriminator, ...own } = rest
  return own
}

function constantOf(schema: Schema | undefined): unknown {
  return schema && 'const' in schema ? schema.const : undefined
}

function unknownField(schema: Schema, path: string, name: string): ErrorObject {
  return toError('additionalProperties', schema, path, { additionalProperty: name })
}

function toError(
  keyword: string,
  parentSchema: Schema,
  instancePath: string,
  params: Fields,
): ErrorObject {
  return { keyword, instancePath, schemaPath: '', params, parentSchema }
}

function toPointer(path: string, name: string): string {
  return `${path}/${escapePointer(name)}`
}
