import { expect, test } from 'vitest'
import { holdsCardNumber } from '../../src/core/card-number.ts'

const VISA = '4242424242424242'

test.each([
  [`${VISA}ab1`, false],
  [`1ab${VISA}`, false],
  [`${VISA}ab`, true],
  [`ab${VISA}`, true],
  [`${VISA}az1`, false],
  [`${VISA} ab1`, true],
  [`1ab ${VISA}`, true],
  ['4242 4242 4242 4242ab1', false],
  ['1ab4242 4242 4242 4242', false],
])('%s holds a card number, unless it is a part of an id: %s', (text, isHeld) => {
  expect(holdsCardNumber(text)).toBe(isHeld)
})
