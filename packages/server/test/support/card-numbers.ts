import fc from 'fast-check'

/** Any valid card number of a network. */
export const aCardNumber: fc.Arbitrary<string> = fc
  .tuple(
    fc.integer({ min: 2, max: 6 }),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 17 }),
  )
  .map(([first, rest]) => withCheckDigit(`${first}${rest.join('')}`))

/** Completes digits to a number with a valid check digit, adding up from the left. */
export function withCheckDigit(digits: string): string {
  const total = [...digits].reduceRight((sum, digit, index) => {
    const isDoubled = (digits.length - index) % 2 === 1
    const value = Number(digit) * (isDoubled ? 2 : 1)
    return sum + Math.floor(value / 10) + (value % 10)
  }, 0)
  return `${digits}${(10 - (total % 10)) % 10}`
}

/** Writes a number as people do: in one piece or in groups, and with text around it. */
export const asWritten: fc.Arbitrary<(number: string) => string> = fc
  .record({
    size: fc.constantFrom(19, 4, 5),
    separator: fc.constantFrom(' ', '-', '\u00a0', '\u2013', '  '),
    before: fc.constantFrom('', 'card ', 'PAN:', 'tok_', '(', 'order 17, card ', 'card', '12 '),
    after: fc.constantFrom('', '.', ' exp 12/30', ')', ' 7c5e', '/123'),
  })
  .map(({ size, separator, before, after }) => (number) => {
    const groups = number.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    return `${before}${groups.join(separator)}${after}`
  })
