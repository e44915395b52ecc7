import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMPARED, UNCOMMITTED } from '../../src/operator/reconcile/uncommitted.ts'
import { createTestApp } from '../support/app.ts'

const GUIDE = new URL('../../../../docs/guide-audit.md', import.meta.url)

function rowsOfList(): string[] {
  return Object.entries(UNCOMMITTED).flatMap(([table, listed]) =>
    typeof listed === 'string'
      ? [`| \`${table}\` | all | ${listed} |`]
      : Object.entries(listed).map(([column, why]) => `| \`${table}\` | \`${column}\` | ${why} |`),
  )
}

test('the guide lists the same columns without a commitment as the code', () => {
  const [, section = ''] = readFileSync(GUIDE, 'utf8').split('### What no leaf commits to\n')
  const shown = section.split('\n## ')[0]?.split('\n') ?? []
  expect(shown.filter((line) => line.startsWith('| `'))).toEqual(rowsOfList())
})

test('every table is compared or listed, and everything in the list exists', async () => {
  const app = await createTestApp()
  try {
    const columns = await app.rows<{ table: string; column: string }>(
      `select c.relname as table, a.attname as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
    )
    const known = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]))
    const whole = Object.keys(UNCOMMITTED).filter((table) => typeof UNCOMMITTED[table] === 'string')
    const parts = Object.entries(UNCOMMITTED).flatMap(([table, why]) =>
      typeof why === 'string' ? [] : Object.keys(why).map((column) => `${table}.${column}`),
    )
    expect([...COMPARED, ...whole, ...parts].filter((name) => !known.has(name))).toEqual([])
    const tables = [...new Set(columns.map(({ table }) => table))].toSorted()
    expect([...COMPARED, ...whole].toSorted()).toEqual(tables)
  } finally {
    await app.stop()
  }
})
