import { expect, test } from 'vitest'
import { differencesOf } from '../../../src/core/replay/judge-again.ts'

test('the differences of two answers are the fields that differ, on either side', () => {
  const then = { code: 'approved', rules: [1, 2], before: 3, missing: null }
  const now = { code: 'approved', rules: [1, 3], after: 4 }
  expect(differencesOf(then, now)).toEqual([
    { field: 'rules', before: [1, 2], after: [1, 3] },
    { field: 'before', before: 3, after: null },
    { field: 'after', before: null, after: 4 },
  ])
})
