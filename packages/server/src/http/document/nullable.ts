import { isNode, type SchemaNode } from './map-schemas.ts'

/**
 * Keywords that restrict the values whatever their type: with one of them, null would also have to be
 * listed.
 */
const BINDING = ['$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf']

/**
 * Writes a choice between null and another schema as one schema with a list of types, which generated
 * clients read best. A named schema cannot have null among its types, so it stays a choice; its
 * description then moves outside, where it also applies to null.
 */
export function withTypeList(schema: SchemaNode): SchemaNode {
  const { anyOf, ...around } = schema
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema
  const others: SchemaNode[] = anyOf.filter((one) => isNode(one) && !isNull(one))
  if (others.every(isPlain) && areApart(others)) {
    const merged: SchemaNode = Object.assign({}, ...others)
    return { ...merged, ...around, type: [...others.map(({ type }) => type), 'null'] }
  }
  const [only] = others
  if (only === undefined || others.length > 1) return schema
  const { description, examples, ...bare } = only
  return {
    anyOf: [bare, { type: 'null' }],
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...around,
  }
}

function isNull(node: unknown): boolean {
  return isNode(node) && node['type'] === 'null'
}

function isPlain(schema: SchemaNode): boolean {
  return typeof schema['type'] === 'string' && BINDING.every((keyword) => !(keyword in schema))
}

/** Whether the schemas share no keyword except the type, so that each keyword belongs to one type. */
function areApart(schemas: readonly SchemaNode[]): boolean {
  const keywords = schemas.flatMap(({ type: _, ...others }) => Object.keys(others))
  return new Set(keywords).size === keywords.length
}
