import { expect, test } from 'vitest'
import { joinRows } from '../../../src/storage/engine/row-statement.ts'

const row = (id: number, note: string | null) => ({
  name: 'keep',
  text: 'insert …',
  columns: [{ plain: id }, { anyText: note }],
  alone: { name: 'keep-one', text: 'insert one …' },
})

test('rows of one name become one statement, in the place of the first', () => {
  const alone = { text: 'delete …', values: [7] }
  expect(joinRows('org', [row(1, 'a'), alone, row(2, null)])).toEqual([
    { name: 'keep', text: 'insert …', values: ['org', '{1,2}', 'a\u001e\u001f'] },
    alone,
  ])
})

test('a row alone is sent with plain values, also beside statements', () => {
  const other = { text: 'delete …', values: [7] }
  expect(joinRows('org', [other, row(1, '{"a,b"}\n')])).toEqual([
    other,
    { name: 'keep-one', text: 'insert one …', values: ['org', 1, '{"a,b"}\n'] },
  ])
  expect(joinRows('org', [row(1, null)])[0]?.values).toEqual(['org', 1, null])
})

test('statements stay as they are, also two of one name', () => {
  const one = { name: 'same', text: 'update …', values: [1] }
  const other = { name: 'same', text: 'update …', values: [2] }
  expect(joinRows('org', [one, other])).toEqual([one, other])
})
