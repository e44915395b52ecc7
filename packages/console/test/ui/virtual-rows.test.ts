import { describe, expect, it } from 'vitest'
import { assignSlots } from '../../src/ui/row-slots.ts'
import {
  isNearEnd,
  offsetsOf,
  rowAt,
  scrollFor,
  spaceAround,
  visibleRows,
} from '../../src/ui/virtual-rows.ts'

describe('virtual rows', () => {
  const items = [
    { index: 10, start: 400, end: 440 },
    { index: 11, start: 440, end: 480 },
  ]

  it('keeps the place of rows that are not drawn', () => {
    expect(spaceAround(items, 1000)).toEqual({ above: 400, below: 520 })
    expect(spaceAround([], 0)).toEqual({ above: 0, below: 0 })
  })

  it('asks for the next page before the end', () => {
    expect(isNearEnd(items, 20)).toBe(true)
    expect(isNearEnd(items, 100)).toBe(false)
    expect(isNearEnd([], 0)).toBe(false)
  })

  it('finds the row at a height, also of rows that differ', () => {
    const offsets = offsetsOf(4, (index) => (index === 0 ? 28 : 40))
    expect([...offsets]).toEqual([0, 28, 68, 108, 148])
    expect([-5, 0, 27, 28, 107, 108, 900].map((y) => rowAt(offsets, y))).toEqual([
      0, 0, 0, 1, 2, 3, 3,
    ])
    expect(
      rowAt(
        offsetsOf(0, () => 40),
        10,
      ),
    ).toBe(0)
  })

  it('draws the rows in view and a few around them, never beyond the ends', () => {
    const offsets = offsetsOf(1_000, () => 40)
    const indexes = (top: number, height = 100) =>
      visibleRows(offsets, { top, height }, 2).map(({ index }) => index)
    expect(indexes(0)).toEqual([0, 1, 2, 3, 4])
    expect(indexes(4_000)).toEqual([98, 99, 100, 101, 102, 103, 104])
    expect(indexes(39_900)).toEqual([995, 996, 997, 998, 999])
    expect(
      visibleRows(
        offsetsOf(0, () => 40),
        { top: 0, height: 100 },
        2,
      ),
    ).toEqual([])
  })

  it('scrolls as little as possible, and never leaves a row under the head', () => {
    const view = { top: 400, height: 200 }
    expect(scrollFor({ start: 480, end: 520 }, view, 33)).toBe(400)
    expect(scrollFor({ start: 360, end: 400 }, view, 33)).toBe(360)
    expect(scrollFor({ start: 600, end: 640 }, view, 33)).toBe(473)
  })
})

describe('slots of rows', () => {
  const first = assignSlots(new Map(), ['a', 'b', 'c'], true)

  it('stay with a row while it is in view', () => {
    expect([...first]).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
    // Two rows left and two came: their elements are new, so that none has to move.
    expect([...assignSlots(first, ['c', 'd', 'e'], true).values()]).toEqual([2, 3, 4])
    expect([...assignSlots(first, ['x', 'a'], true).values()]).toEqual([3, 0])
  })

  it('pass to the new rows after a jump, in the same order', () => {
    const jumped = assignSlots(first, ['m', 'n', 'o', 'p'], true)
    expect([...jumped.values()]).toEqual([0, 1, 2, 3])
    expect([...assignSlots(jumped, ['y', 'z'], true).values()]).toEqual([0, 1])
  })

  it('do not pass on while a row has the focus or a selection', () => {
    expect([...assignSlots(first, ['m', 'n'], false).values()]).toEqual([3, 4])
  })
})
