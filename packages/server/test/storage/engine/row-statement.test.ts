import { expect, test } from 'vitest'
import { joinRows } from '../../../src/storage/engine/row-statement.ts'

const row = (id: number, note: string | null) => ({
  name: 'keep',
  text: 'insert …',
  columns: [{ plain: id }, { anyText: note }],
})

test('rows of one name become one statement, in the place of the first', () => {
  const alone = { text: 'delete …', values: [7] }
  expect(joinRows('org', [row(1, 'a'), alone, row(2, null)])).toEqual([
    { name: 'keep', text: 'insert …', values: ['org', '{1,2}', 'a\u001e\u001f'] },
    alone,
  ])
})

test('statements stay as they are, also two of one name', () => {
  const one = { name: 'same', text: 'update …', values: [1] }
  const other = { name: 'same', text: 'update …', values: [2] }
  expect(joinRows('org', [one, other])).toEqual([one, other])
})
