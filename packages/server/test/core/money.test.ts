import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCurrency } from '../../src/core/currency.ts'
import { isMoney, MONEY_MAX, parseMicros, toMicros, toUnits } from '../../src/core/money.ts'

const MICROS_MAX = 999_999_999_999_999n
const micros = fc.bigInt({ min: 1n, max: MICROS_MAX })

describe('an amount', () => {
  test('is always exact between decimal text, number and micros', () => {
    fc.assert(
      fc.property(micros, (exact) => {
        const units = Number(decimalOf(exact))
        expect(isMoney(units)).toBe(true)
        expect(toMicros(units)).toBe(exact)
        expect(toUnits(exact)).toBe(units)
        expect(parseMicros(decimalOf(exact))).toBe(exact)
      }),
      { numRuns: 1_000 },
    )
  })

  test('never has a seventh decimal', () => {
    // Above ten million a number no longer tells seven decimals from six.
    const seventh = fc.integer({ min: 1, max: 9 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), seventh, (exact, digit) => {
        expect(isMoney(Number(`${decimalOf(exact)}${digit}`))).toBe(false)
      }),
    )
  })

  test.each([0.001, 0.000001, 0.1, 1, 19.99, MONEY_MAX])('of %d is accepted', (units) => {
    expect(isMoney(units)).toBe(true)
  })

  test.each([0, -0, -1, 0.0000001, 0.1 + 0.2, 1e9, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %d is refused',
    (units) => {
      expect(isMoney(units)).toBe(false)
    },
  )

  test.each([0.0000001, 0.1 + 0.2, 1e9, Number.NaN])('of %d is not rounded to micros', (units) => {
    expect(() => toMicros(units)).toThrow('the amount')
  })

  test.each(['', '.5', '5.', '1e3', '-1', '+1', '1,000', '0.0000001', ' 1', '1\n', '1234567890'])(
    'is not written %j',
    (text) => {
      expect(parseMicros(text)).toBeUndefined()
    },
  )
})

describe('a currency', () => {
  test.each(['USD', 'EUR', 'JPY', 'XOF', 'USDC', 'EURC'])('%s is accepted', (code) => {
    expect(isCurrency(code)).toBe(true)
  })

  test.each(['', 'usd', 'US', 'XXX', 'XAU', 'HRK', 'BTC', 'USD EUR', 'toString'])(
    '%j is refused',
    (code) => {
      expect(isCurrency(code)).toBe(false)
    },
  )
})

function decimalOf(exact: bigint): string {
  const digits = exact.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
