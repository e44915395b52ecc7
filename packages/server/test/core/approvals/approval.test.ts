import { expect, test } from 'vitest'
import { usableMs } from '../../../src/core/approvals/approval.ts'

test('an approval can be used as long as its request could wait, and for at least 15 minutes', () => {
  const quarter = 15 * 60_000
  expect([1, quarter, quarter + 1].map((waitsMs) => usableMs({ waitsMs }))).toEqual([
    quarter,
    quarter,
    quarter + 1,
  ])
})
