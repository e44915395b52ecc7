import { describe, expect, it } from 'vitest'
import {
  groupedMoney,
  moneyProblem,
  moneyValue,
  tidyMoney,
  typedMoney,
} from '../../src/ui/money-text.ts'

describe('money text', () => {
  it.each([
    ['250', '250'],
    ['250.00', '250.00'],
    ['0.005', '0.005'],
    ['0.000001', '0.000001'],
    ['1,480.00', '1480.00'],
    ['1,000,000', '1000000'],
    [' 12.5 ', '12.5'],
    ['007', '7'],
    ['5.', '5'],
    ['999999999999999.999999', '999999999999999.999999'],
  ])('reads %j as %j', (text, value) => {
    expect(moneyValue(text)).toBe(value)
  })

  it.each([
    '',
    '.',
    '12,50',
    '1,48',
    '12,3456',
    '1.2.3',
    '0.0000001',
    '-5',
    '1e3',
    '1.480,00',
    '1234567890123456',
  ])('reads no amount from %j', (text) => {
    expect(moneyValue(text)).toBeNull()
  })

  it('keeps every digit of an amount that a float would change', () => {
    expect(moneyValue('900719925474099.123456')).toBe('900719925474099.123456')
    expect(tidyMoney('900719925474099.123456')).toBe('900719925474099.123456')
  })

  it.each([
    ['250', '250.00'],
    ['250.5', '250.50'],
    ['0.005', '0.005'],
    ['0.500000', '0.50'],
    ['1,480', '1480.00'],
    ['12,50', '12,50'],
    ['', ''],
  ])('tidies %j to %j', (text, tidy) => {
    expect(tidyMoney(text)).toBe(tidy)
  })

  it.each([
    ['1480.00', '1,480.00'],
    ['1234567.891234', '1,234,567.891234'],
    ['1,480.5', '1,480.5'],
    ['999', '999'],
    ['12,50', '12,50'],
    ['', ''],
  ])('groups %j as %j, with the same value', (text, grouped) => {
    expect(groupedMoney(text)).toBe(grouped)
    expect(moneyValue(groupedMoney(text))).toBe(moneyValue(text))
  })

  it('keeps a comma while a person types, because its meaning is not known yet', () => {
    expect(typedMoney('USD 1,480.00')).toBe('1,480.00')
    expect(typedMoney('-12')).toBe('12')
  })

  it('says why a text is no amount', () => {
    expect(moneyProblem('12,50')).toBe('Use a point for decimals: 12.50.')
    expect(moneyProblem('0.0000001')).toBe('Use at most 6 decimals.')
    expect(moneyProblem('1.2.3')).toBe('Enter an amount, for example 250.00.')
    expect(moneyProblem('')).toBeNull()
    expect(moneyProblem('1,480.00')).toBeNull()
  })
})
