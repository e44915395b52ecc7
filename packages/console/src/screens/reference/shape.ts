import type { ApiDocument, ApiSchema } from '../../data/openapi.ts'
import { countOf } from '../../words/text.ts'

/** A field as the reference explains it. */
export interface Shape {
  /** "string", "array of RuleInput", "one of 11 shapes". */
  readonly type: string
  readonly isNullable: boolean
  readonly description: string | undefined
  /** Limits in words: "at most 64 entries". */
  readonly notes: readonly string[]
  /** The values that an enumeration allows. */
  readonly values: readonly string[]
  readonly example: unknown
  /** The fields of an object, or of the entries of a list. */
  readonly fields?: readonly NamedSchema[]
  /** Shapes that the value can have. */
  readonly variants?: readonly NamedSchema[]
}

export interface NamedSchema {
  readonly name: string
  readonly schema: ApiSchema
  readonly isRequired: boolean
}

/** Follows references, and joins the parts of `allOf`. Words beside a reference win. */
export function resolve(document: ApiDocument, schema: ApiSchema): ApiSchema {
  const { $ref, allOf, ...own } = schema
  const parts = [
    ...($ref === undefined
      ? []
      : [document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}]),
    ...(allOf ?? []),
  ].map((part) => resolve(document, part))
  if (parts.length === 0) return schema
  const all = [...parts, own]
  return {
    ...Object.assign({}, ...all),
    ...(all.some(({ properties }) => properties)
      ? {
          properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})),
          required: all.flatMap(({ required }) => required ?? []),
        }
      : {}),
  }
}

export function shapeOf(document: ApiDocument, schema: ApiSchema): Shape {
  const whole = resolve(document, schema)
  const { description } = whole
  const all = (whole.oneOf ?? whole.anyOf ?? []).map((one) => resolve(document, one))
  const variants = all.filter(({ type }) => type !== 'null')
  const isNullable = variants.length < all.length || typesOf(whole).includes('null')
  const [only] = variants
  // A list of values separated by commas is a second text beside the single value.
  const isPlain = variants.every((one) => typesOf(one).every((type) => type === 'string'))
  if (only && (variants.length === 1 || isPlain)) {
    const { oneOf, anyOf, ...rest } = whole
    const shape = shapeOf(document, { ...only, ...rest })
    return { ...shape, isNullable: isNullable || shape.isNullable }
  }
  const common = { isNullable, description, notes: notesOf(whole), example: exampleIn(whole) }
  if (variants.length > 1) {
    return {
      ...{ ...common, type: `one of ${variants.length} shapes`, values: [] },
      variants: variants.map((one, index) => ({
        ...{ name: variantName(one, index), schema: one, isRequired: false },
      })),
    }
  }
  return { ...common, ...insideOf(document, whole) }
}

/** The type in words, and the content of the value. */
function insideOf(
  document: ApiDocument,
  schema: ApiSchema,
): Pick<Shape, 'type' | 'values' | 'fields' | 'variants'> {
  const { items, properties = {}, additionalProperties, required = [] } = schema
  const values = valuesOf(schema)
  if (items) {
    const inner = shapeOf(document, items)
    const name = resolve(document, items).title ?? inner.type
    const { fields, variants } = inner
    return {
      ...{ type: `array of ${inner.values.length > 0 ? 'values' : name}`, values: inner.values },
      ...(fields ? { fields } : {}),
      ...(variants ? { variants } : {}),
    }
  }
  const names = Object.keys(properties)
  if (names.length > 0) {
    const fields = Object.entries(properties).map(([name, one]) => ({
      ...{ name, schema: one, isRequired: required.includes(name) },
    }))
    return { type: 'object', values, fields }
  }
  if (typeof additionalProperties === 'object') {
    return { type: `map of ${shapeOf(document, additionalProperties).type}`, values }
  }
  const type = typesOf(schema).filter((one) => one !== 'null')
  return { type: schema.format ?? (type.join(' or ') || typeof values[0]), values }
}

function valuesOf({ enum: values, const: only }: ApiSchema): readonly string[] {
  if (only !== undefined) return [String(only)]
  return (values ?? []).filter((value) => value !== null).map(String)
}

function typesOf({ type }: ApiSchema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type
}

/** A variant is named by the value that tells it apart, otherwise by its title. */
function variantName({ properties = {}, title }: ApiSchema, index: number): string {
  const only = Object.values(properties).find((one) => typeof one.const === 'string')
  return String(only?.const ?? title ?? `shape ${index + 1}`)
}

function notesOf(schema: ApiSchema): readonly string[] {
  const {
    minimum,
    maximum,
    exclusiveMinimum,
    maxLength,
    maxItems,
    minItems,
    default: byDefault,
  } = schema
  const words: readonly (string | false)[] = [
    byDefault !== undefined && `default ${JSON.stringify(byDefault)}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined &&
      `at most ${maximum.toLocaleString('en', { maximumFractionDigits: 6 })}`,
    maxLength !== undefined && `at most ${countOf(maxLength, 'character')}`,
    minItems !== undefined && minItems > 0 && `at least ${countOf(minItems, 'entry', 'entries')}`,
    maxItems !== undefined && `at most ${countOf(maxItems, 'entry', 'entries')}`,
  ]
  return words.filter((one) => one !== false)
}

function exampleIn({ examples }: ApiSchema): unknown {
  return examples?.[0]
}
