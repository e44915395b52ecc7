import fc, { type Arbitrary } from 'fast-check'
import { type OpenApiDocument, resolveSchema, type Schema } from '../support/operations.ts'

/** What has broken parsers, databases and comparisons before. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e-320,
  Number.MAX_SAFE_INTEGER,
  1e308,
  '',
  ' ',
  '0',
  'true',
  'null',
  '\u0000',
  '\ud800',
  '\r\nset-cookie: x',
  "'; drop table agents; --",
  '$1',
  '{{7*7}}',
  '../../etc/passwd',
  '\u202e\u200b',
  'ı'.repeat(100),
  '😀'.repeat(200),
  'x'.repeat(5_000),
  [],
  [[]],
  {},
  { constructor: { prototype: {} } },
  { toString: 1 },
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2999-01-01T00:00:00+23:59',
]

/** Values that the schema accepts or nearly accepts, with ids that exist mixed in by `ids`. */
export function arbitraryValues(document: OpenApiDocument, ids: () => readonly string[]) {
  const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 2 }))

  /** Mostly right, sometimes anything. */
  function arbitraryOf(schema: Schema): Arbitrary<unknown> {
    return fc.oneof({ weight: 12, arbitrary: goodOf(schema) }, { weight: 1, arbitrary: hostile })
  }

  function goodOf(given: Schema): Arbitrary<unknown> {
    const schema = resolveSchema(document, given)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const variants = schema.oneOf ?? schema.anyOf
    if (variants) return fc.oneof(...variants.map(goodOf))
    if (typeof schema.type !== 'object') return ofType(schema)
    return fc.oneof(...schema.type.map((type) => ofType({ ...schema, type })))
  }

  function ofType(schema: Schema): Arbitrary<unknown> {
    switch (schema.type) {
      case 'object':
        return objectOf(schema)
      case 'array':
        return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 4 })
      case 'integer':
        return fc.integer({ min: (schema.minimum ?? 0) - 1, max: (schema.maximum ?? 1_000) + 1 })
      case 'number':
        return fc.integer({ min: 1, max: 1e9 }).map((micros) => micros / 1e6)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return textOf(schema)
    }
  }

  function objectOf({ properties = {}, required = [], additionalProperties }: Schema) {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property)]),
    )
    const known = fc.record(fields, { requiredKeys: [...required] })
    const more = additionalProperties === false ? 40 : 2
    return fc
      .tuple(known, fc.nat(more), fc.dictionary(fc.string(), hostile, { maxKeys: 2 }))
      .map(([object, dice, extra]) => (dice === 0 ? { ...object, ...extra } : object))
  }

  function textOf({ format, pattern, examples = [], maxLength = 40 }: Schema): Arbitrary<unknown> {
    const texts = fc.string({ unit: 'binary', maxLength: Math.min(maxLength + 1, 200) })
    const isId = format === 'uuid' || pattern?.includes('_[0-9a-f]{32}')
    const likely = [
      ...(examples.length > 0 ? [fc.constantFrom(...examples)] : []),
      ...(isId ? [fc.nat().map((n) => ids()[n % ids().length])] : []),
      ...(format === 'date-time'
        ? [fc.date({ noInvalidDate: true }).map((at) => at.toJSON())]
        : []),
      ...(format === 'currency' ? [fc.constantFrom('USD', 'EUR', 'USDC', 'usd')] : []),
    ]
    return likely.length > 0
      ? fc.oneof(...likely.map((arbitrary) => ({ weight: 4, arbitrary })), {
          weight: 1,
          arbitrary: texts,
        })
      : texts
  }

  return { arbitraryOf, goodOf, hostile }
}
