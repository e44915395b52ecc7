import { isNode, type SchemaNode } from './map-schemas.ts'

/** Keywords that say which values are meant, whatever their type: null would have to be among them. */
const BINDING = ['$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf']

/**
 * A choice between null and something else, as one schema with a list of types, which generated
 * clients read best. A named schema cannot have null among its types, so it stays a choice; what is
 * said about it then stands outside, where it holds for null as well.
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

/** Whether no keyword but the type is said twice. Those that are belong to one type each. */
function areApart(schemas: readonly SchemaNode[]): boolean {
  const keywords = schemas.flatMap(({ type: _, ...others }) => Object.keys(others))
  return new Set(keywords).size === keywords.length
}
