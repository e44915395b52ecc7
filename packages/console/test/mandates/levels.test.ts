import { expect, test } from 'vitest'
import { levelsField, readLevels } from '../../src/screens/mandates/editor/form/levels.ts'

test.each([
  ['80', [80]],
  ['95, 50,80', [50, 80, 95]],
  ['50 % 80%', [50, 80]],
  ['50% 80%', [50, 80]],
  ['80, 80', [80]],
  ['', []],
  ['0', null],
  ['100', null],
  ['7.5', null],
  ['1,2,3,4,5,6,7,8,9,10', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['1,2,3,4,5,6,7,8,9,10,11', null],
])('reads the levels of “%s”', (text, levels) => {
  expect(readLevels(text)).toEqual(levels)
})

test('shows what it reads', () => {
  expect(levelsField(undefined)).toBe('80')
  expect(readLevels(levelsField([50, 95]))).toEqual([50, 95])
})
