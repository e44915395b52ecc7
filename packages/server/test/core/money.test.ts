import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isMoney,
  least,
  MONEY_MAX,
  parseMicros,
  toDecimal,
  toExactUnits,
  toMicros,
  toUnits,
  whyNoMoney,
} from '../../src/core/money.ts'

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
        expect(parseMicros(toDecimal(exact))).toBe(exact)
      }),
      { numRuns: 1_000 },
    )
  })

  test('of which only floating point made more than six decimals is the amount that is meant', () => {
    const any = fc.bigInt({ min: 1n, max: 10n ** 13n })
    fc.assert(
      fc.property(any, any, any, (first, second, third) => {
        const sum = toUnits(first) + toUnits(second) + toUnits(third)
        expect(isMoney(sum)).toBe(true)
        expect(toMicros(sum)).toBe(first + second + third)
        expect(toExactUnits(sum)).toBe(toUnits(first + second + third))
      }),
      { numRuns: 1_000 },
    )
  })

  test('is never changed by a millionth, nor by half of one', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: MONEY_MAX, noNaN: true }), (units) => {
        if (!isMoney(units)) return
        const difference = Math.abs(toUnits(toMicros(units)) - units)
        expect(difference).toBeLessThan(0.5e-7)
        expect(difference).toBeLessThanOrEqual(units * 4 * Number.EPSILON)
      }),
      { numRuns: 1_000 },
    )
  })

  test('with a few real decimals too many is refused, wherever a number can tell them', () => {
    const decimals = fc.integer({ min: 7, max: 9 })
    const micro = fc.bigInt({ min: 1n, max: 10n ** 11n })
    fc.assert(
      fc.property(micro, decimals, (exact, places) => {
        const digits = '1'.padStart(places - 6, '0')
        expect(isMoney(Number(`${decimalOf(exact)}${digits}`))).toBe(false)
      }),
    )
  })

  test('never has a seventh decimal', () => {
    // Above a hundred million a number no longer tells seven decimals from six.
    const seventh = fc.integer({ min: 1, max: 9 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), seventh, (exact, digit) => {
        expect(isMoney(Number(`${decimalOf(exact)}${digit}`))).toBe(false)
      }),
    )
  })

  test.each([0.001, 0.000001, 0.1, 0.1 + 0.2, 0.1 * 3, 1.1 * 1.1, 1, 19.99, MONEY_MAX])(
    'of %d is accepted',
    (units) => {
      expect(isMoney(units)).toBe(true)
    },
  )

  test.each([
    0,
    -0,
    -1,
    0.0000001,
    0.1234567,
    0.300001 + 1e-12,
    1e9,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('of %d is refused', (units) => {
    expect(isMoney(units)).toBe(false)
  })

  test.each([0.0000001, 0.1234567, 1e9, Number.NaN])('of %d is not rounded to micros', (units) => {
    expect(() => toMicros(units)).toThrow('the amount')
  })

  test.each(['', '.5', '5.', '1e3', '-1', '+1', '1,000', '0.0000001', ' 1', '1\n', '1234567890'])(
    'is not written %j',
    (text) => {
      expect(parseMicros(text)).toBeUndefined()
    },
  )
})

test.each([
  [0n, '0'],
  [1n, '0.000001'],
  [20_000_000n, '20'],
  [12_500_000n, '12.5'],
  [MICROS_MAX, '999999999.999999'],
])('the amount of %d micros is written %s', (exact, text) => {
  expect(toDecimal(exact)).toBe(text)
})

test('the least of some amounts is found wherever it stands', () => {
  expect([least(1n, 2n, 3n), least(3n, 1n, 2n), least(3n, 2n, 1n)]).toEqual([1n, 1n, 1n])
  expect([least(5n), least(-1n, 0n)]).toEqual([5n, -1n])
})

describe('a number that is no amount', () => {
  test.each([
    [0, 'is 0, but must be above 0'],
    [-5, 'is -5, but must be above 0'],
    [0.0000001, 'is 0.0000001, but must have at most six decimals'],
    [1.25e-7, 'is 0.000000125, but must have at most six decimals'],
    [5e-324, 'is 5e-324, but must have at most six decimals'],
    [1e21, 'is 1e+21, but must be at most 999999999.999999'],
  ])('%d is told back with what is wrong with it', (units, sentence) => {
    expect(whyNoMoney(units)).toBe(sentence)
  })
})

function decimalOf(exact: bigint): string {
  const digits = exact.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

test.each([
  [1.2345678, 'is 1.2345678, but must have at most six decimals'],
  [1e-20, 'is 0.00000000000000000001, but must have at most six decimals'],
  [1e-21, 'is 1e-21, but must have at most six decimals'],
  [0, 'is 0, but must be above 0'],
  [1_000_000_000, 'is 1000000000, but must be at most 999999999.999999'],
])('what is wrong with %d is said with the number as it is written', (units, why) => {
  expect(whyNoMoney(units)).toBe(why)
})
