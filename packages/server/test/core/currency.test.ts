import { describe, expect, test } from 'vitest'
import { isCurrency, isSameCurrency } from '../../src/core/currency.ts'

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

  test.each([
    ['USD', 'USD'],
    ['USDC', 'USDC'],
    ['USDC', 'USD'],
    ['EUR', 'EURC'],
  ])('%s has the same amounts as %s', (a, b) => {
    expect([isSameCurrency(a, b), isSameCurrency(b, a)]).toEqual([true, true])
  })

  test.each([
    ['USD', 'EUR'],
    ['USDC', 'EURC'],
    ['USDC', 'EUR'],
  ])('%s has different amounts than %s', (a, b) => {
    expect([isSameCurrency(a, b), isSameCurrency(b, a)]).toEqual([false, false])
  })
})
