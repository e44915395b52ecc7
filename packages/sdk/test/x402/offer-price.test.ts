import { describe, expect, test } from 'vitest'
import { priceOf } from '../../src/x402/offer-price.ts'

describe('the price of an offer', () => {
  test('is exact to a millionth, and rounded up beyond', () => {
    expect(priceOf('10000', 6)).toBe(0.01)
    expect(priceOf('1', 6)).toBe(0.000001)
    expect(priceOf('1250', 2)).toBe(12.5)
    expect(priceOf('10000000000000000', 18)).toBe(0.01)
    expect(priceOf('10000000000000001', 18)).toBe(0.010001)
    expect(priceOf('1', 18)).toBe(0.000001)
  })

  test('is refused unless it is a plain number above zero', () => {
    for (const it of ['0', '', '-5', '0.01', ' 1', '1 ', '01', '0x10', '1e3', 5, null, undefined]) {
      expect(priceOf(it, 6)).toBeUndefined()
    }
    expect(priceOf('9'.repeat(77), 6)).toBeUndefined()
  })
})
