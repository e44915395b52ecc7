import { describe, expect, test } from 'vitest'
import { DIMENSIONS, GROUPINGS, groupingOf } from '../../../src/core/analytics/dimensions.ts'

describe('the stored groupings', () => {
  test('are no dimension, each dimension and each pair, all with different bits', () => {
    const counts = [0, 1, 2].map(
      (count) => GROUPINGS.filter(({ dimensions }) => dimensions.length === count).length,
    )
    expect(counts).toEqual([1, 7, 21])
    expect(new Set(GROUPINGS.map(({ bits }) => bits)).size).toBe(GROUPINGS.length)
    expect(GROUPINGS.slice(0, 4).map(({ bits }) => bits)).toEqual([0, 1, 2, 4])
  })

  test('keep all groups only of dimensions that agents cannot multiply', () => {
    const whole = GROUPINGS.filter(({ keptMax }) => keptMax === undefined)
    expect(whole.map(({ dimensions }) => dimensions.join())).toEqual([
      '',
      'agent',
      'mandate',
      'path',
      'code',
      'agent,mandate',
      'path,code',
    ])
    expect(groupingOf(['vendor'])?.keptMax).toBe(100)
  })

  test('are found in any order of the dimensions, and do not exist for three', () => {
    for (const first of DIMENSIONS) {
      for (const second of DIMENSIONS) {
        expect(groupingOf([first, second])).toBe(groupingOf([second, first]))
      }
    }
    expect(groupingOf(['path', 'agent'])?.dimensions).toEqual(['agent', 'path'])
    expect(groupingOf(['agent', 'mandate', 'vendor'])).toBeUndefined()
  })
})
