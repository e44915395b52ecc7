import { describe, expect, it } from 'vitest'
import { numberProblem, onlyDigits, stepped, wholeNumber } from '../../src/ui/number-text.ts'

describe('number text', () => {
  it('keeps digits alone', () => {
    expect(onlyDigits('3 0m')).toBe('30')
    expect(wholeNumber('')).toBeNull()
    expect(wholeNumber('30')).toBe(30)
  })

  it('steps within the range and begins at the lowest value', () => {
    expect(stepped('', 1, { min: 5 })).toBe('5')
    expect(stepped('5', -1, { min: 5 })).toBe('5')
    expect(stepped('9', 1, { max: 9 })).toBe('9')
    expect(stepped('9', 1, {})).toBe('10')
  })

  it('says which number it takes', () => {
    expect(numberProblem('0', { min: 1 })).toBe('Enter 1 or more.')
    expect(numberProblem('2000', { max: 1440 })).toBe('Enter 1440 or less.')
    expect(numberProblem('', { min: 1 })).toBeNull()
  })
})
