import { expect, test } from 'vitest'
import { toWaitMs } from '../../src/http/answer-time.ts'

test('a wait of up to 50 seconds is kept, and a longer one ends after 50', () => {
  expect([0, 1, 49, 50, 51, 60].map(toWaitMs)).toEqual([0, 1_000, 49_000, 50_000, 50_000, 50_000])
})
