import { isDeepStrictEqual } from 'node:util'
import { createEnumNames } from './enum-names.ts'
import { ENUM_WORDS } from './enum-words.ts'
import {
  isNode,
  mapSchemas,
  type Place,
  type SchemaNode,
  type WrittenDocument,
} from './map-schemas.ts'
import { withTypeList } from './nullable.ts'
import { SAID_AT_USE } from './object-names.ts'

const PREFIX = '#/components/schemas/'

/** Marks a placeholder for the schema with this title, which another part of the document defines. */
export const COMPONENT = 'x-component'

/**
 * Turns every schema with a title, and every list of values, into a named component. Generated clients
 * then have one name for it everywhere.
 */
export function withComponents(document: WrittenDocument): WrittenDocument {
  const schemas: Record<string, SchemaNode> = {}
  const enums = listEnums(document)

  function add(name: string, schema: SchemaNode): SchemaNode {
    const known = schemas[name]
    if (known && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two different schemas are called ${name}.`)
    }
    schemas[name] = schema
    return { $ref: PREFIX + name }
  }

  /**
   * Describes the list by ENUM_WORDS, or else by the description at its uses if all of them share
   * one. Any other description stays at its use.
   */
  function asEnum(name: string, schema: SchemaNode): SchemaNode {
    const { title: _, type = 'string', enum: values, description, ...said } = schema
    const [common, ...others] = enums.descriptionsOf(name)
    const words = ENUM_WORDS[name]
    const isCommon = words === undefined && common !== undefined && others.length === 0
    const about = words ?? (isCommon ? common : undefined)
    const reference = add(name, {
      title: name,
      type,
      enum: values,
      ...(about !== undefined && { description: about }),
    })
    return { ...reference, ...said, ...(description !== undefined && !isCommon && { description }) }
  }

  function change(schema: SchemaNode, place: Place): SchemaNode {
    const name = enums.nameOf(schema, place)
    if (name !== undefined) return asEnum(name, schema)
    const { [COMPONENT]: meant, ...besides } = withMapping(withTypeList(openEnded(schema)), schemas)
    if (typeof meant === 'string') return { $ref: PREFIX + meant }
    const { title, [SAID_AT_USE]: said, ...rest } = besides
    if (typeof title !== 'string') return besides
    return { ...add(title, { ...rest, title }), ...(said !== undefined && { description: said }) }
  }

  const changed = mapSchemas(document, change)
  return { ...changed, components: { ...changed.components, schemas } }
}

/** Finds the name of every list of values, and the descriptions at its uses. */
function listEnums(document: WrittenDocument) {
  const toName = createEnumNames()
  const descriptions = new Map<string, Set<unknown>>()

  function nameOf({ title, enum: values }: SchemaNode, place: Place): string | undefined {
    if (!Array.isArray(values)) return undefined
    return typeof title === 'string' ? title : toName(values, place)
  }

  mapSchemas(document, (schema, place) => {
    const name = nameOf(schema, place)
    const { description } = schema
    if (name !== undefined && description !== undefined) {
      descriptions.set(name, (descriptions.get(name) ?? new Set()).add(description))
    }
    return schema
  })
  return { nameOf, descriptionsOf: (name: string) => [...(descriptions.get(name) ?? [])] }
}

/** Some generators treat an empty list of fields as an object without fields. */
function openEnded(schema: SchemaNode): SchemaNode {
  const { properties, ...others } = schema
  const isEmpty = isNode(properties) && Object.keys(properties).length === 0
  return isEmpty && schema['additionalProperties'] === true ? others : schema
}

/**
 * Maps each value of the field to its schema. Without the mapping, generators expect the names of the
 * schemas as values.
 */
function withMapping(
  schema: SchemaNode,
  schemas: Readonly<Record<string, SchemaNode>>,
): SchemaNode {
  const { discriminator, oneOf, type: _, ...others } = schema
  if (!isNode(discriminator) || !Array.isArray(oneOf)) return schema
  const field = String(discriminator['propertyName'])
  const mapping = oneOf.map(({ $ref }: SchemaNode) => {
    const fields = schemas[String($ref).slice(PREFIX.length)]?.['properties']
    const named = isNode(fields) ? fields[field] : undefined
    if (!isNode(named)) throw new Error(`${$ref} does not name its ${field}.`)
    return [named['const'], $ref]
  })
  return {
    ...others,
    oneOf,
    discriminator: { propertyName: field, mapping: Object.fromEntries(mapping) },
  }
}
