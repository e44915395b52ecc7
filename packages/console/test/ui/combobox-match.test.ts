import { describe, expect, it } from 'vitest'
import { matches, movedOption } from '../../src/ui/combobox-match.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Berlin Time'].map((value) => ({
  value,
  label: value,
}))

describe('combobox', () => {
  it('puts what begins with the text before what contains it', () => {
    expect(matches(ZONES, 'ber').map(({ value }) => value)).toEqual([
      'Berlin Time',
      'Europe/Berlin',
    ])
    expect(matches(ZONES, '')).toHaveLength(3)
    expect(matches(ZONES, 'nowhere')).toEqual([])
  })

  it('moves around the list, past the text itself if that may be chosen', () => {
    expect(movedOption('ArrowDown', 2, 3, false)).toBe(0)
    expect(movedOption('ArrowDown', 2, 3, true)).toBe(-1)
    expect(movedOption('ArrowUp', 0, 3, true)).toBe(-1)
    expect(movedOption('ArrowUp', 0, 3, false)).toBe(2)
    expect(movedOption('a', 0, 3, false)).toBeNull()
    expect(movedOption('ArrowDown', 0, 0, false)).toBeNull()
  })
})
