import { describe, expect, test } from 'vitest'
import { forecast } from '../../../src/core/analytics/measures.ts'

describe('the forecast of a spend', () => {
  test('continues the mean of the last seven days, and drops fractions of a micro', () => {
    expect(forecast(20n, 700n, 30)).toEqual({ perDay: 100n, amount: 3_000n })
    expect(forecast(20n, 10n, 3)).toEqual({ perDay: 1n, amount: 4n })
  })

  test('is left out if the seven days have fewer than 20 spends', () => {
    expect(forecast(19n, 700n, 30)).toBeUndefined()
  })
})
