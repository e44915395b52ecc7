import { type OpenApi, resolve, type Schema } from './document.ts'

/**
 * Describes the fields that only name an object by the description of that object, since an editor
 * shows the comment of a field and not that of its type. The words of a list of values stay with it:
 * they are long, and an editor shows the values anyway.
 */
export function withFieldWords(document: OpenApi, schema: Schema): Schema {
  const { properties } = schema
  if (!properties) return schema
  const fields = Object.entries(properties).map(([name, field]): [string, Schema] => [
    name,
    field.description === undefined ? withWords(document, field) : field,
  ])
  return { ...schema, properties: Object.fromEntries(fields) }
}

function withWords(document: OpenApi, field: Schema): Schema {
  const named = field.$ref === undefined ? field.anyOf?.find(({ $ref }) => $ref) : field
  const { description, enum: values } = named ? resolve(document, named) : {}
  return description === undefined || values ? field : { ...field, description }
}
