import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { UNCOMMITTED } from '../../src/reconcile/uncommitted.ts'
import { createTestApp } from '../support/app.ts'

const GUIDE = new URL('../../../../docs/guide-audit.md', import.meta.url)

function rowsOfList(): string[] {
  return Object.entries(UNCOMMITTED).flatMap(([table, listed]) =>
    typeof listed === 'string'
      ? [`| \`${table}\` | all | ${listed} |`]
      : Object.entries(listed).map(([column, why]) => `| \`${table}\` | \`${column}\` | ${why} |`),
  )
}

test('the guide shows what no leaf commits to, as the code lists it', () => {
  const [, section = ''] = readFileSync(GUIDE, 'utf8').split('### What no leaf commits to\n')
  const shown = section.split('\n## ')[0]?.split('\n') ?? []
  expect(shown.filter((line) => line.startsWith('| `'))).toEqual(rowsOfList())
})

test('every table and column of the list exists', async () => {
  const app = await createTestApp()
  try {
    const columns = await app.rows<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public'`,
    )
    const known = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]))
    const listed = Object.entries(UNCOMMITTED).flatMap(([table, why]) =>
      typeof why === 'string' ? [table] : Object.keys(why).map((column) => `${table}.${column}`),
    )
    expect(listed.filter((name) => !known.has(name))).toEqual([])
  } finally {
    await app.stop()
  }
})
