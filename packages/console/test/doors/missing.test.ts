import { expect, test } from 'vitest'
import { missingIn } from '../../src/screens/doors/missing.ts'

test('says what to enter, in a sentence for each field', () => {
  expect(missingIn({ name: ' ', email: '', password: '', organization: '' }, true)).toEqual({
    name: 'Enter your name.',
    email: 'Enter your e-mail address.',
    password: 'Choose a password of 12 characters or more.',
    organization: 'Enter the name of your organization.',
  })
  expect(missingIn({ email: '', password: '' }, false)).toEqual({
    email: 'Enter your e-mail address.',
    password: 'Enter your password.',
  })
})

test('an e-mail address needs two parts, and a known password any length', () => {
  expect(missingIn({ email: 'ada', password: 'short' }, false)).toEqual({
    email: 'Enter a whole e-mail address, such as ada@example.com.',
  })
  expect(missingIn({ email: 'ada@example.com', password: 'short' }, false)).toBeNull()
  expect(missingIn({ email: 'ada@example.com', password: 'twelve chars' }, true)).toBeNull()
})

test('a field without a sentence of its own can be empty', () => {
  expect(missingIn({ timezone: '' }, true)).toBeNull()
})
