import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toEmail } from '../../../src/core/people/member.ts'
import { refusePassword, toPassword } from '../../../src/core/people/password-policy.ts'

describe('an e-mail address', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['josé@example.com', 'josé@example.com'],
    ['ada', undefined],
    ['ada@', undefined],
    ['@example.com', undefined],
    ['a@b@c', undefined],
    ['ada lovelace@example.com', undefined],
    ['ada\u202e@example.com', undefined],
    [`${'a'.repeat(65)}@example.com`, undefined],
    [`a@${'b'.repeat(260)}`, undefined],
  ])('%j is taken as %j', (text, email) => {
    expect(toEmail(text)).toBe(email)
  })

  test('has one spelling: what was made one stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        const email = toEmail(`${text}@example.com`)
        expect(email === undefined || toEmail(email) === email).toBe(true)
      }),
    )
  })
})

describe('a password', () => {
  const EMAIL = 'ada.lovelace@example.com'
  test.each([
    ['elevenchars', 'too_short'],
    ['twelve chars', undefined],
    ['🜁'.repeat(11), 'too_short'],
    ['🜁'.repeat(12), undefined],
    ['long '.repeat(51), undefined],
    ['x'.repeat(257), 'too_long'],
    ['Ada.Lovelace@Example.com', 'is_the_email'],
    ['PasswordPassword', 'too_common'],
    ['aaaaaaaaaaaa', 'too_common'],
    ['correct horse battery', undefined],
  ])('%j is refused as %s', (password, code) => {
    expect(refusePassword(password, EMAIL)?.code).toBe(code)
  })

  test('is the same however its letters were typed', () => {
    expect(toPassword('cafe\u0301 cafe\u0301 x')).toBe(toPassword('café café x'))
  })
})
