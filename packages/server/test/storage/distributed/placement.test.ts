import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DISTRIBUTED,
  REGISTERED,
  UNDISTRIBUTED,
} from '../../../src/storage/distributed/placement.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

/** Of a table; what only a partition has comes from its table. */
interface Keys {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
}

interface ForeignKey extends Keys {
  readonly target: string
  readonly targetColumns: readonly string[]
}

/** The names of the columns of a table by their numbers, in that order. */
const columnsOf = (table: string, numbers: string): string =>
  `array(select a.attname::text from unnest(${numbers}::int2[]) with ordinality as k (attnum, place)
         join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum order by k.place)`

describe('the tables', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const isSpread = (table: string, columns: readonly string[]): boolean =>
    columns.includes(DISTRIBUTED.get(table) ?? '')

  test('have each their place: distributed by organization, or not at all', async () => {
    const tables = await database.db.query<{ name: string }>({
      text: `select relname as name from pg_class
             where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
               and not relispartition`,
    })
    const placed = [...DISTRIBUTED.keys(), ...UNDISTRIBUTED]
    expect(tables.map(({ name }) => name).sort()).toEqual(placed.sort())
  })

  test('that stay on the coordinator are known to Citus if they have rows of organizations', async () => {
    const owned = await database.db.query<{ name: string }>({
      text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
             where c.relnamespace = current_schema()::regnamespace and a.attname = 'organization_id'
               and c.relname = any($1::text[])`,
      values: [[...UNDISTRIBUTED]],
    })
    expect(owned.map(({ name }) => name).sort()).toEqual([...REGISTERED].sort())
  })

  test('that are distributed have a primary key, so that a shard can move while it is written', async () => {
    const keyed = await database.db.query<{ name: string }>({
      text: `select c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
             where c.relnamespace = current_schema()::regnamespace and i.indisprimary`,
    })
    const names = keyed.map(({ name }) => name)
    expect([...DISTRIBUTED.keys()].filter((name) => !names.includes(name))).toEqual([])
  })

  test('that are distributed have nothing unique over several organizations', async () => {
    const unique = await database.db.query<Keys>({
      text: `select i.indexrelid::regclass::text as name, c.relname as table,
                    ${columnsOf('c.oid', 'i.indkey')} as columns
             from pg_index i join pg_class c on c.oid = i.indrelid
             where c.relnamespace = current_schema()::regnamespace and i.indisunique
               and not c.relispartition`,
    })
    const wide = unique.filter(
      ({ table, columns }) => DISTRIBUTED.has(table) && !isSpread(table, columns),
    )
    expect(unique.length).toBeGreaterThan(DISTRIBUTED.size)
    expect(wide).toEqual([])
  })

  test('refer to others of the same organization only', async () => {
    const references = await database.db.query<ForeignKey>({
      text: `select k.conname as name, c.relname as table, t.relname as target,
                    ${columnsOf('c.oid', 'k.conkey')} as columns,
                    ${columnsOf('t.oid', 'k.confkey')} as "targetColumns"
             from pg_constraint k join pg_class c on c.oid = k.conrelid
             join pg_class t on t.oid = k.confrelid
             where c.relnamespace = current_schema()::regnamespace and k.contype = 'f'`,
    })
    const crossing = references.filter(
      ({ table, columns, target, targetColumns }) =>
        !isSpread(table, columns) || !isSpread(target, targetColumns),
    )
    expect(references.length).toBeGreaterThan(0)
    expect(crossing).toEqual([])
  })
})
