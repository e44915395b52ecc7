import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainArray, textArray, texts } from '../../../src/storage/engine/wire-array.ts'
import {
  createTestDatabase,
  describeOnUsualEngine,
  type TestDatabase,
} from '../../support/database.ts'

describeOnUsualEngine('an array as a parameter', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase(engine)
  })
  afterAll(() => database.drop())

  const read = async (select: string, value: string) => {
    const text = `select t.value from unnest(${select}) with ordinality as t (value, n) order by n`
    const rows = await database.db.query<{ value: unknown }>({ text, values: [value] })
    return rows.map((row) => row.value)
  }

  /** Strict JSON lets none of these through. */
  const separators = ['\0', '\u001e', '\u001f']
  const anyText = fc
    .string({ unit: 'binary', maxLength: 20 })
    .filter((text) => !separators.some((char) => text.includes(char)))
  const awkward = fc.constantFrom(
    '',
    'NULL',
    'null',
    '{}',
    '{"a":"b,c"}',
    '\\',
    '"',
    "'",
    ',',
    '\t\n',
  )

  test('of texts comes out as it went in, whatever the texts', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anyText, awkward, fc.constant(null)), { minLength: 2, maxLength: 8 }),
        async (values) => {
          expect(await read(texts('$1'), textArray(values))).toEqual(values)
        },
      ),
      { numRuns: 100 },
    ))

  test('of one text comes out as it went in, if that is not empty', async () => {
    for (const value of ['a', ' ', 'NULL', null]) {
      expect(await read(texts('$1'), textArray([value]))).toEqual([value])
    }
  })

  test('of numbers, ids and instants comes out as it went in, with its nulls', async () => {
    const numbers = [1n, null, -5n, 9_223_372_036_854_775_807n]
    expect(await read('$1::bigint[]', plainArray(numbers))).toEqual(numbers)
    const ids = ['019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11', null]
    expect(await read('$1::uuid[]', plainArray(ids))).toEqual(ids)
    const instants = ['2031-05-06T23:59:59.999Z', null]
    expect(await read('$1::timestamptz[]', plainArray(instants))).toEqual([
      Date.parse('2031-05-06T23:59:59.999Z'),
      null,
    ])
    expect(await read('$1::bigint[]', plainArray([]))).toEqual([])
  })
})

describe('an element that would be read as something else is refused', () => {
  test.each(['a,b', ',', '{a}', '{', '}', '"a"', 'a\\b'])('in a plain array: %j', (element) => {
    expect(() => plainArray([element])).toThrow('separator')
    expect(() => plainArray(['a', element, null, 1n])).toThrow('separator')
  })

  test.each(['a\u001eb', '\u001e', '\u001f'])('in an array of texts: %j', (element) => {
    expect(() => textArray([element])).toThrow('separator')
    expect(() => textArray(['a', element, null])).toThrow('separator')
  })

  test('without repeating it, since it may be secret', () => {
    expect(() => textArray(['secret\u001e'])).not.toThrow('secret')
    expect(() => plainArray(['secret,'])).not.toThrow('secret')
  })
})
