import {
  isOfType,
  type OpenApiDocument,
  resolveSchema,
  type Schema,
} from '../support/operations.ts'
import { schemaCompilerOf } from '../support/schema-compiler.ts'

/** A value with one mistake in it, and the JSON pointer of the field that must be named. */
export interface BadValue {
  readonly value: unknown
  readonly pointer: string
  readonly mistake: string
}

type Fields = Readonly<Record<string, unknown>>

/** A value of each type. The deep suite also sends values that are wrong in fewer places. */
const ANY_TYPES = [
  ...[1.5, 'text', true, null, ['text'], { a: 1 }],
  ...(process.env['PURSER_TEST_RUNS'] === 'all' ? [7, [], {}] : []),
]
/** No format and no pattern of ours accepts this. */
const NONSENSE = '§ not a value §'
const BAD_MONEY = [0, -1, 0.0000001, 1_000_000_000, 1e300]

export interface BadValues {
  /** Every mistake that the schema lets one make, each in an otherwise good value. */
  of(schema: Schema, good: unknown): BadValue[]
  /** A value the schema accepts, with every optional field. */
  sample(schema: Schema): unknown
}

export function createBadValues(document: OpenApiDocument): BadValues {
  const { compile } = schemaCompilerOf(document)
  const accepts = (schema: Schema, value: unknown): boolean => compile(schema)(value)

  /** Variants that were gone through already; wherever else they stand they are the same. */
  const seen = new Set<Schema>()

  function of(given: Schema, good: unknown): BadValue[] {
    const schema = resolveSchema(document, given)
    const here = [
      ...ANY_TYPES.map((value) => ({ value, mistake: `is ${JSON.stringify(value)}` })),
      ...badTexts(schema),
      ...badNumbers(schema),
      ...badLists(schema, good),
    ]
    const ofFormat = badFormats(schema).map((value) => ({ value, mistake: `is ${value}` }))
    return [
      ...here
        .filter(({ value }) => !accepts(schema, value))
        .map((bad) => ({ ...bad, pointer: '' })),
      ...ofFormat.map((bad) => ({ ...bad, pointer: '' })),
      ...(schema.properties ? inObject(schema, schema.properties, good as Fields) : []),
      ...(schema.items ? inItem(schema.items) : []),
      ...(schema.anyOf ? inAnyOf(schema.anyOf) : []),
      ...(schema.oneOf ?? []).flatMap(inVariant),
    ]
  }

  function inObject(schema: Schema, properties: Record<string, Schema>, good: Fields): BadValue[] {
    const ofFields = Object.entries(properties).flatMap(([name, property]) =>
      of(property, good[name] ?? sample(property)).map((bad) => ({
        ...bad,
        value: { ...good, [name]: bad.value },
        pointer: `/${name}${bad.pointer}`,
      })),
    )
    const missing = (schema.required ?? []).map((name) => ({
      value: Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)),
      pointer: `/${name}`,
      mistake: 'is missing',
    }))
    const unknown = {
      value: { ...good, unexpected: 1 },
      pointer: '/unexpected',
      mistake: 'is there',
    }
    return [...ofFields, ...missing, ...(schema.additionalProperties === false ? [unknown] : [])]
  }

  function inItem(items: Schema): BadValue[] {
    return of(items, sample(items)).map((bad) => ({
      ...bad,
      value: [bad.value],
      pointer: `/0${bad.pointer}`,
    }))
  }

  /** What is a mistake in one alternative may be right in another. */
  function inAnyOf(variants: readonly Schema[]): BadValue[] {
    return variants.flatMap((variant) => {
      const others = variants.filter((other) => other !== variant)
      return of(variant, sample(variant)).filter(
        ({ value }) => !others.some((other) => accepts(other, value)),
      )
    })
  }

  /** The type says which variant is meant, so a mistake in the type itself is made once, elsewhere. */
  function inVariant(variant: Schema): BadValue[] {
    const schema = resolveSchema(document, variant)
    if (seen.has(schema)) return []
    seen.add(schema)
    return of(variant, sample(variant)).filter(
      ({ value, pointer }) => pointer !== '/type' && pointer !== '' && typeof value === 'object',
    )
  }

  function sample(given: Schema): unknown {
    const schema = resolveSchema(document, given)
    const [variant] = schema.oneOf ?? schema.anyOf ?? []
    if (variant) return sample(variant)
    if (schema.properties) {
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, sample(property)]),
      )
    }
    const [stated] = [schema.const, ...(schema.enum ?? schema.examples ?? [])].filter(
      (value) => value !== undefined,
    )
    if (stated !== undefined) return stated
    return schema.items ? [sample(schema.items)] : sampleOfType(schema)
  }

  return { of, sample }
}

function sampleOfType({ type, pattern, minimum = 1, minLength = 0 }: Schema): unknown {
  const [first] = typeof type === 'object' ? type : [type]
  switch (first) {
    case 'string':
      return pattern?.includes(':') ? '07:00' : 'sample'.padEnd(minLength, 'x')
    case 'number':
    case 'integer':
      return minimum
    case 'boolean':
      return true
    case 'object':
      return {}
    default:
      return null
  }
}

function badTexts(schema: Schema) {
  const { pattern, minLength = 0, maxLength } = schema
  if (!isOfType(schema, 'string')) return []
  return [
    ...(pattern ? [{ value: NONSENSE, mistake: 'does not match its pattern' }] : []),
    ...(minLength > 0 ? [{ value: '', mistake: 'is empty' }] : []),
    ...(maxLength === undefined
      ? []
      : [{ value: 'x'.repeat(maxLength + 1), mistake: 'is too long' }]),
  ]
}

function badNumbers({ minimum, maximum, exclusiveMinimum }: Schema) {
  const bounds = [
    minimum === undefined ? undefined : minimum - 1,
    exclusiveMinimum,
    maximum === undefined ? undefined : maximum + 1,
  ]
  return bounds
    .filter((value) => value !== undefined)
    .map((value) => ({ value, mistake: `is out of range with ${value}` }))
}

function badLists(schema: Schema, good: unknown) {
  const { minItems = 0, maxItems, uniqueItems, maxProperties } = schema
  const [first] = Array.isArray(good) ? good : []
  const keys = Array.from({ length: (maxProperties ?? 0) + 1 }, (_, n) => [`key${n}`, 'x'])
  return [
    ...(minItems > 0 ? [{ value: [], mistake: 'has too few entries' }] : []),
    ...(maxItems === undefined
      ? []
      : [{ value: Array(maxItems + 1).fill(first ?? 'x'), mistake: 'has too many entries' }]),
    ...(uniqueItems ? [{ value: [first, first], mistake: 'has an entry twice' }] : []),
    ...(isOfType(schema, 'object') && maxProperties !== undefined
      ? [{ value: Object.fromEntries(keys), mistake: 'has too many keys' }]
      : []),
  ]
}

function badFormats({ format }: Schema): unknown[] {
  // Names have a status of their own, and a test of their own in unreadable-names.test.ts.
  if (format === undefined || format === 'name' || format === 'text') return []
  return format === 'money' ? BAD_MONEY : [NONSENSE, '']
}
