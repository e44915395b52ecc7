import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money, PurserError, sumMoney } from '../../src/index.ts'

/** Millionths within the range of the API. */
const micros = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n })
const amountOf = (value: bigint) => money(Number(value) / 1e6)

describe('money', () => {
  test('adds and subtracts without the noise of floating point', () => {
    expect(money(0.1).plus(0.2).toNumber()).toBe(0.3)
    expect(money('0.3').minus(0.1).toNumber()).toBe(0.2)
    expect(money(0.1 + 0.2).toString()).toBe('0.3')
    expect(sumMoney([0.1, '0.2', money(0.3)]).toNumber()).toBe(0.6)
    expect(sumMoney([]).toNumber()).toBe(0)
    expect(sumMoney(Array.from({ length: 300_000 }, () => 0.1)).toNumber()).toBe(30_000)
  })

  test('writes the amount in the shortest way', () => {
    const texts = ['12.345678', '0.000001', '-0.5', '100', '0', '123456789012345.000001']
    for (const text of texts) expect(money(text).toString()).toBe(text)
    expect(money('12.50').toString()).toBe('12.5')
    expect(money('-0').toString()).toBe('0')
    expect(`${money(1e-6)}`).toBe('0.000001')
    expect(JSON.stringify({ amount: money('12.50') })).toBe('{"amount":12.5}')
  })

  test('refuses everything that is not an exact amount', () => {
    const message = (amount: unknown) => {
      try {
        return String(money(amount as number))
      } catch (error) {
        expect(PurserError.is(error) && error.code).toBe('invalid_amount')
        return (error as PurserError).detail
      }
    }
    expect(message(Number.NaN)).toBe('NaN is not an amount.')
    expect(message(Number.POSITIVE_INFINITY)).toBe('Infinity is not an amount.')
    expect(message(0.1234567)).toMatch(/^0.1234567 has more than six decimals. Round it/)
    expect(message('0.0000001')).toMatch(/more than six decimals/)
    expect(message(1e-7)).toMatch(/more than six decimals/)
    expect(message(2 ** 33)).toMatch(/too large for a number with six decimals. Pass a text/)
    for (const text of ['', '1,5', '1e3', '.5', '5.', '$5', ' 5', '1'.repeat(16)]) {
      expect(message(text)).toMatch(/is not an amount. An amount is/)
    }
    for (const wrong of [undefined, null, {}]) expect(message(wrong)).toMatch(/is not an amount/)
    expect(() => money('9000000000').toNumber()).toThrow(/Use `toString\(\)`/)
  })

  test('rounds where the caller says how', () => {
    const round = (amount: number | string, how: 'up' | 'down' | 'nearest') =>
      money(amount, { round: how }).toString()
    expect(round(1234 * 0.00000015, 'up')).toBe('0.000186')
    expect(round(1234 * 0.00000015, 'down')).toBe('0.000185')
    expect(round('0.0000005', 'nearest')).toBe('0.000001')
    expect(round('-0.0000005', 'nearest')).toBe('-0.000001')
    expect(round('0.0000004', 'nearest')).toBe('0')
    expect(round(1e-9, 'up')).toBe('0.000001')
    expect(round(0.1 + 0.2, 'up')).toBe('0.3')
    expect(money('2.345').round(2).toString()).toBe('2.35')
    expect(money('2.341').round(2, 'up').toString()).toBe('2.35')
    expect(money('-2.349').round(2, 'down').toString()).toBe('-2.34')
    expect(money('2.5').round(0).toString()).toBe('3')
    expect(() => money(1).round(7)).toThrow(/from 0 to 6/)
  })

  test('compares', () => {
    expect(money(0.1).plus(0.2).equals(0.3)).toBe(true)
    expect(money('0.3').isLessThan('0.300001')).toBe(true)
    expect(money(2).isMoreThan(money(10))).toBe(false)
    expect(['10', '9', '-1'].toSorted((a, b) => money(a).compare(b))).toEqual(['-1', '9', '10'])
    expect(money(9) < money(10)).toBe(true)
    expect(() => `${(money(1) as unknown as number) + 1}`).toThrow(/Use `plus`/)
  })

  test('formats with as many decimals as the amount needs', () => {
    expect(money(12.5).format('USD', 'en-US')).toBe('$12.50')
    expect(money(0.001).format('USD', 'en-US')).toBe('$0.001')
    expect(money('-1234567.123456').format('USD', 'en-US')).toBe('-$1,234,567.123456')
    expect(money(12.5).format('EUR', 'de-DE')).toBe('12,50\u00a0€')
    expect(money(1200).format('JPY', 'en-US')).toBe('¥1,200')
    expect(money(12.5).format('USDC', 'en-US')).toBe('12.50\u00a0USDC')
    expect(money(1).format('USD')).toContain('1')
  })

  test('calculates as exact integers of a millionth do', () => {
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        expect(amountOf(a).micros).toBe(a)
        expect(amountOf(a).plus(amountOf(b)).micros).toBe(a + b)
        expect(amountOf(a).minus(amountOf(b)).micros).toBe(a - b)
        expect(amountOf(a).isLessThan(amountOf(b))).toBe(a < b)
        expect(amountOf(a).equals(amountOf(b))).toBe(a === b)
      }),
    )
  })

  test('survives the way to a text or a number and back', () => {
    const limit = BigInt(2 ** 33) * 1_000_000n - 1n
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (value) => {
        const amount = money(0).plus(amountOf(0n)).plus(textOf(value))
        expect(amount.micros).toBe(value)
        expect(money(amount.toString()).micros).toBe(value)
        expect(money(amount.toNumber()).micros).toBe(value)
      }),
    )
  })

  test('never accepts a seventh decimal, and rounds it by less than a millionth', () => {
    fc.assert(
      fc.property(micros, fc.integer({ min: 1, max: 9 }), (value, seventh) => {
        const text = `${textOf(value, true)}${seventh}`
        expect(() => money(text)).toThrow(/six decimals/)
        const [up, down] = [money(text, { round: 'up' }), money(text, { round: 'down' })]
        expect(down.micros).toBe(value)
        expect(up.minus(down).micros).toBe(text.startsWith('-') ? -1n : 1n)
      }),
    )
  })
})

/** The text of an amount, made in a way of its own; `full` with all six decimals. */
function textOf(value: bigint, full = false): string {
  const size = value < 0n ? -value : value
  const fraction = String(size % 1_000_000n).padStart(6, '0')
  const text = `${value < 0n ? '-' : ''}${size / 1_000_000n}.${fraction}`
  return full ? text : text.replace(/\.0+$/, '')
}
