import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedMeanwhile, laterThan, mergeChanges } from '../../src/core/changed-meanwhile.ts'
import { NOON } from './desk.ts'

const key = { id: 'key_1', name: null }
const someChanges = (count: number, after: string) =>
  Array.from({ length: count }, (_, index) => ({ field: `f${index}`, before: null, after }))

function answered(changes: ReturnType<typeof someChanges>, changedBy: typeof key | null = key) {
  const problem = changedMeanwhile('mandate', { current: 4, changedBy, changedAt: NOON, changes })
  const { extra, message } = problem as unknown as {
    extra: { changes: readonly object[]; changesLeftOut?: number }
    message: string
  }
  return { message, listed: extra.changes.length, leftOut: extra.changesLeftOut }
}

describe('an answer about a change in between', () => {
  test('lists at most fifty changes, and says how many it leaves out', () => {
    expect(answered(someChanges(50, 'x'))).toMatchObject({ listed: 50, leftOut: undefined })
    expect(answered(someChanges(52, 'x'))).toMatchObject({ listed: 50, leftOut: 2 })
  })

  test('lists at most 16,000 bytes of changes', () => {
    // One such change has 8,000 bytes.
    const padded = someChanges(1, 'x'.repeat(8_000))
    const rest = 'x'.repeat(8_000 - (Buffer.byteLength(JSON.stringify(padded[0])) - 8_000))
    expect(answered(someChanges(3, rest))).toMatchObject({ listed: 2, leftOut: 1 })
    expect(answered(someChanges(3, `${rest}x`))).toMatchObject({ listed: 1, leftOut: 2 })
  })
})

describe('changes in a row', () => {
  test('become one per field, from the value before the first to that after the last', () => {
    const merged = mergeChanges([
      { before: { name: 'a', note: 'x' }, after: { name: 'b', note: 'y' } },
      { before: { name: 'b', note: 'y' }, after: { name: 'c', note: 'x' } },
    ])
    expect(merged).toEqual([{ field: 'name', before: 'a', after: 'c' }])
  })

  test('of a thing that began or ended have no value there', () => {
    expect(mergeChanges([{ before: null, after: { name: 'a' } }])).toEqual([
      { field: 'name', before: null, after: 'a' },
    ])
    expect(mergeChanges([{ before: { name: 'a' }, after: null }])).toEqual([
      { field: 'name', before: 'a', after: null },
    ])
  })
})

test('the time of a change is always in a later millisecond than that of the change before', () => {
  const before = fc.double({ min: 0, max: 10 ** 12, noNaN: true })
  fc.assert(
    fc.property(before, fc.integer({ min: -5, max: 5 }), (earlier, difference) => {
      const now = Math.trunc(earlier) + difference
      const later = laterThan(earlier, now)
      expect(Math.trunc(later)).toBeGreaterThan(Math.trunc(earlier))
      expect(later).toBeGreaterThanOrEqual(now)
    }),
  )
})
