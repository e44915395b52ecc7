import { describe, expect, test } from 'vitest'
import { fromMinor, minorUnitOf, toMinor } from '../../src/core/minor-unit.ts'

describe.each([
  ['USD', 12_345, 123_450_000n],
  ['JPY', 12_345, 12_345_000_000n],
  ['KWD', 12_345, 12_345_000n],
  ['CLF', 12_345, 1_234_500n],
  ['MGA', 12_345, 123_450_000n],
])('%s', (currency, minor, micros) => {
  test('is read with as many decimals as its minor unit has', () => {
    expect(fromMinor(minor, currency)).toBe(micros)
  })

  test('is written back as it was read', () => {
    expect(toMinor(micros, currency)).toBe(minor)
  })

  test('is rounded down to what it can pay', () => {
    expect(toMinor(micros + minorUnitOf(currency) - 1n, currency)).toBe(minor)
  })
})

test.each([1.5, '100', null, undefined, Number.NaN, Infinity, 2 ** 53, 1e20])(
  'takes %s for no integer of minor units',
  (value) => {
    expect(fromMinor(value, 'USD')).toBeUndefined()
  },
)

test('takes no amount that is beyond what the API accepts', () => {
  expect(fromMinor(99_999_999_999, 'USD')).toBe(999_999_999_990_000n)
  expect(fromMinor(100_000_000_000, 'USD')).toBeUndefined()
  expect(fromMinor(1_000_000_000, 'JPY')).toBeUndefined()
})
