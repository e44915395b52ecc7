import { describe, expect, it } from 'vitest'
import { isNearEnd, spaceAround } from '../../src/ui/virtual-rows.ts'

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
})
