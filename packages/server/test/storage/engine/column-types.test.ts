import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createTestDatabase,
  describeOnUsualEngine,
  type TestDatabase,
} from '../../support/database.ts'

const INSTANT = '2026-03-01T10:20:30.456Z'

const CASES: readonly (readonly [sql: string, expected: unknown])[] = [
  ["'9223372036854775807'::int8", 9223372036854775807n],
  ['2147483647::int4', 2147483647],
  ["'0.10'::numeric", '0.10'],
  ['1.5::float8', 1.5],
  ['true', true],
  [`'${INSTANT}'::timestamptz`, Date.parse(INSTANT)],
  ["'1969-12-31T23:59:59.999Z'::timestamptz", -1],
  ["'2026-03-29T03:00:00+02:00'::timestamptz", Date.parse('2026-03-29T01:00:00Z')],
  ["'2026-03-01'::date", '2026-03-01'],
  [`'{"a": [1, null]}'::json`, { a: [1, null] }],
  [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
  ["'6f2c1a34-0000-4000-8000-000000000001'::uuid", '6f2c1a34-0000-4000-8000-000000000001'],
  [`array['a', null, 'b"c,d']`, ['a', null, 'b"c,d']],
  ["array['6f2c1a34-0000-4000-8000-000000000001'::uuid]", ['6f2c1a34-0000-4000-8000-000000000001']],
  ['array[1::int8, null, 9007199254740993]', [1n, null, 9007199254740993n]],
  ["array['0.10'::numeric]", ['0.10']],
  [`array['${INSTANT}'::timestamptz]`, [Date.parse(INSTANT)]],
  ["'\\x00ff'::bytea", Buffer.from([0, 255])],
  ['null::int8', null],
  ['null::timestamptz', null],
]

describeOnUsualEngine('a column', (engine) => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase(engine)
  })
  afterAll(() => test.drop())

  it.each(CASES)('%s arrives as the documented type', async (sql, expected) => {
    const [row] = await test.db.query<{ value: unknown }>({ text: `select ${sql} as value` })
    expect(row?.value).toStrictEqual(expected)
  })

  it('takes a bigint, an ISO string, JSON text and arrays as parameters', async () => {
    const text = `select $1::int8 as amount, $2::timestamptz as "at", $3::jsonb as document,
                         $4::text[] as names, $5::int8[] as amounts`
    const values = [12n, INSTANT, '[1,{"a":"b"}]', ['x', 'y,"z'], [1n, 2n]]
    const [row] = await test.db.query({ text, values })
    expect(row).toStrictEqual({
      amount: 12n,
      at: Date.parse(INSTANT),
      document: [1, { a: 'b' }],
      names: ['x', 'y,"z'],
      amounts: [1n, 2n],
    })
  })
})
