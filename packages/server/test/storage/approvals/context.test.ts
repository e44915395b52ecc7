import { expect, test } from 'vitest'
import { listedHistoryOf } from '../../../src/storage/approvals/context.ts'

test.each([
  [1, 100],
  [50, 100],
  [51, 98],
  [200, 25],
])('a page with %i agents searches the last %i transactions of each', (agents, most) => {
  expect(listedHistoryOf(agents)).toBe(most)
})
