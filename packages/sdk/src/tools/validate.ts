import type { FieldSchema, InputSchema } from './schema.ts'

export type Input = Readonly<Record<string, unknown>>

/** The checked input, or every mistake in it as a sentence. */
export type Checked = { readonly input: Input } | { readonly mistakes: readonly string[] }

/**
 * Checks the input of a model against the schema of the tool. A field that is null counts as left out,
 * because some models send every field.
 */
export function checkInput(schema: InputSchema, sent: unknown): Checked {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { mistakes: ['The arguments must be a JSON object.'] }
  }
  const fields = Object.entries(sent).filter(([, value]) => value !== null && value !== undefined)
  const names = new Set(fields.map(([name]) => name))
  const mistakes = [
    ...schema.required.filter((name) => !names.has(name)).map((name) => `\`${name}\` is missing.`),
    ...fields.flatMap(([name, value]) => {
      const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (!known) return [`\`${name}\` is not an argument of this tool.`]
      const mistake = mistakeIn(known, value)
      return mistake ? [`\`${name}\` must be ${mistake}.`] : []
    }),
  ]
  return mistakes.length > 0 ? { mistakes } : { input: Object.fromEntries(fields) }
}

/** Returns how the value should be; undefined if it is. */
function mistakeIn(schema: FieldSchema, value: unknown): string | undefined {
  switch (schema.type) {
    case 'string':
      return mistakeInText(schema, value)
    case 'number':
    case 'integer':
      return mistakeInNumber(schema, value)
    case 'object':
      return isTextMap(value) ? undefined : 'an object whose values are text'
  }
}

function mistakeInText(
  { enum: values, minLength = 0, maxLength, pattern }: FieldSchema & { type: 'string' },
  value: unknown,
): string | undefined {
  if (typeof value !== 'string') return 'text'
  if (values && !values.includes(value)) return `one of ${values.join(', ')}`
  if (value.length < minLength) return `text of at least ${minLength} characters`
  if (maxLength !== undefined && value.length > maxLength) {
    return `text of at most ${maxLength} characters`
  }
  if (pattern && !new RegExp(pattern).test(value)) return `text of the form ${pattern}`
  return undefined
}

function mistakeInNumber(
  schema: FieldSchema & { type: 'number' | 'integer' },
  value: unknown,
): string | undefined {
  const { type, exclusiveMinimum, minimum, maximum } = schema
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number, without quotes'
  if (type === 'integer' && !Number.isInteger(value)) return 'a whole number'
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `more than ${exclusiveMinimum}`
  }
  if (minimum !== undefined && value < minimum) return `at least ${minimum}`
  if (maximum !== undefined && value > maximum) return `at most ${maximum}`
  return undefined
}

function isTextMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((it) => typeof it === 'string')
}
