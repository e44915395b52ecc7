import { expect, test } from 'vitest'
import { newId } from '../../src/storage/new-id.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

test('ids sort in the order of their creation, also within a millisecond', () => {
  const ids = Array.from({ length: 4_000 }, (_, index) => newId(NOW + Math.floor(index / 1_000)))
  expect(ids).toEqual([...ids].sort())
})

test('ids sort in the order of their creation, also while the clock is mended', () => {
  const ids = Array.from({ length: 4_000 }, (_, index) => newId(NOW + 60_000 + ((index * 7) % 50)))
  expect(ids).toEqual([...ids].sort())
})

test('ids follow a clock that is turned back', () => {
  newId(NOW + 3_600_000)
  expect(newId(NOW).slice(0, 8)).toBe(newId(NOW).slice(0, 8))
  expect(newId(NOW) < newId(NOW + 3_600_000)).toBe(true)
})

test('ids stay unique and in order when more are made in a millisecond than can be counted', () => {
  const ids = Array.from({ length: 20_000 }, () => newId(NOW))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual([...ids].sort())
})
