import { commentOf } from './comment.ts'
import { nameOf, type Schema } from './document.ts'

/** The type of a schema, in TypeScript. Lines after the first are indented by `indent`. */
export function typeOf(schema: Schema, indent = ''): string {
  const { $ref, anyOf, oneOf, allOf, type } = schema
  if ($ref !== undefined) return nameOf($ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return unionOf(schema.enum.map(literal), indent)
  const variants = anyOf ?? oneOf
  if (variants) return variantsOf(variants, indent)
  if (allOf) return allOf.map((one) => inParentheses(typeOf(one, indent))).join(' & ')
  if (typeof type === 'object') {
    return unionOf(
      type.map((one) => typeOf({ ...schema, type: one }, indent)),
      indent,
    )
  }
  return plainTypeOf(schema, indent)
}

function plainTypeOf(schema: Schema, indent: string): string {
  switch (schema.type) {
    case undefined:
      return 'unknown'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return `readonly ${inParentheses(typeOf(schema.items ?? {}, indent))}[]`
    case 'object':
      return objectOf(schema, indent)
    default:
      throw new Error(`No rule writes the type ${String(schema.type)}.`)
  }
}

/** A list of values to which the gateway may add keeps its values as suggestions of the editor. */
function variantsOf(variants: readonly Schema[], indent: string): string {
  const isOpen = variants.some(({ $ref }) => $ref !== undefined)
  const types = variants.flatMap((one) =>
    Array.isArray(one.type) ? one.type.map((type) => ({ ...one, type })) : [one],
  )
  return unionOf(
    types.map((one) =>
      isOpen && one.type === 'string' && one.enum === undefined && one.const === undefined
        ? '(string & {})'
        : typeOf(one, indent),
    ),
    indent,
  )
}

function objectOf(schema: Schema, indent: string): string {
  const { properties = {}, additionalProperties } = schema
  if (Object.keys(properties).length > 0) return `{\n${fieldsOf(schema, indent)}${indent}}`
  if (additionalProperties === false) return 'Readonly<Record<string, never>>'
  const values = typeof additionalProperties === 'object' ? additionalProperties : {}
  return `Readonly<Record<string, ${typeOf(values, indent)}>>`
}

/** The fields of an object, each with its comment and at its own line. */
export function fieldsOf(schema: Schema, indent = ''): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    // Callers pass fields that may be undefined, such as variables of the environment.
    const written = typeOf(field, inner)
    const type = isRequired ? written : `${written} | undefined`
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
    return `${commentOf(field.description, inner)}${inner}readonly ${key}${isRequired ? '' : '?'}: ${type}\n`
  })
  if (additionalProperties === true) lines.push(`${inner}readonly [field: string]: unknown\n`)
  return lines.join('')
}

const WIDTH = 100

/** A union on one line if it is short, else with a line for each member. */
export function unionOf(members: readonly string[], indent = ''): string {
  const line = [...new Set(members)].join(' | ')
  const isShort = !line.includes('\n') && line.length + indent.length < WIDTH - 30
  if (isShort || members.length === 1 || line.includes('\n')) return line
  return members.map((member) => `\n${indent}  | ${member}`).join('')
}

function inParentheses(type: string): string {
  return /[|&\n ]/.test(type) && !type.startsWith('{') ? `(${type.trimStart()})` : type
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}
