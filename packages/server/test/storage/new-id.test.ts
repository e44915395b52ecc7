import { expect, test } from 'vitest'
import { newId } from '../../src/storage/new-id.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

test('ids sort in the order of their creation, also within a millisecond', () => {
  const ids = Array.from({ length: 4_000 }, (_, index) => newId(NOW + Math.floor(index / 1_000)))
  expect(ids).toEqual([...ids].sort())
})

test('ids stay unique when more are made in a millisecond than can be counted', () => {
  const ids = Array.from({ length: 20_000 }, () => newId(NOW))
  expect(new Set(ids).size).toBe(ids.length)
})
