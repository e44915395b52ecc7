import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toEmail } from '../../../src/core/people/member.ts'
import { refusePassword, toPassword } from '../../../src/core/people/password-policy.ts'
import { DIGEST_BYTES, loadCommonPasswords } from '../../../src/people/passwords.ts'

const isCommon = await loadCommonPasswords()

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
    [`a@${'b'.repeat(252)}`, `a@${'b'.repeat(252)}`],
    [`a@${'b'.repeat(253)}`, undefined],
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
    ['🜁🜂🜃🜄🜅🜆🜇🜈🜉🜊🜋🜌', undefined],
    ['one of a long list of words, '.repeat(9).slice(0, 256), undefined],
    ['x'.repeat(257), 'too_long'],
    ['Ada.Lovelace@Example.com', 'is_the_email'],
    ['PasswordPassword', 'too_common'],
    ['aaaaaaaaaaaa', 'too_common'],
    ['correct horse battery', undefined],
    ['a password of others', undefined],
    ['x7#kQ9!vLm2@', undefined],
    ['839201847362', undefined],
    ['mein hund heißt bello', undefined],
  ])('%j is refused as %s', (password, code) => {
    expect(refusePassword(password, EMAIL, isCommon)?.code).toBe(code)
  })

  test.each([
    ['blanks', [' '.repeat(12), '\u00a0\u2003'.repeat(6), '\u3164'.repeat(12)]],
    [
      'one key, or a short piece again and again',
      ['🜁'.repeat(12), 'long '.repeat(51), 'abc123abc123'],
    ],
    [
      'keys side by side',
      ['qwertyuiop12', 'QWERTYasdfgh', '1qaz2wsx3edc', '0987654321ab', 'zyxwvutsrqpo'],
    ],
    [
      'a common word with digits or signs',
      ['Password1234', 'Charlotte1987', '2024password!', 'Summer2026!!!'],
    ],
    ['a date behind it, or a row of digits', ['michael24081990', 'password1234567890']],
    ['signs that look like letters', ['P@ssw0rd2024!', 'L1verp00l-2026', 'passw0rd.passw0rd']],
    [
      'a common word again, or the other way round',
      ['letmeinletmein', 'drowssap1234', 'passworddrowssap'],
    ],
    ['blanks between its letters', ['p a s s w o r d 1']],
    ['what is guessed at a gateway', ['administrator', 'changeme1234', 'PurserPurser']],
  ])('of %s is refused', (_, passwords) => {
    const taken = passwords.filter((password) => !refusePassword(password, EMAIL, isCommon))
    expect(taken).toEqual([])
  })

  test('is compared with 10,000 common ones, which the package holds', () => {
    const folder = resolve(import.meta.dirname, '../../..')
    const { files } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
    expect(files).toContain('lists')
    expect(statSync(resolve(folder, 'lists/common-passwords.bin')).size).toBe(10_000 * DIGEST_BYTES)
    const some = ['123456', 'monkey', 'iloveyou', 'trustno1', 'liverpool']
    expect(some.filter((password) => !isCommon(password))).toEqual([])
    expect(['gateway-4711', 'staple of horses', ''].filter(isCommon)).toEqual([])
  })

  test('of random signs is taken', () => {
    const random = Array.from({ length: 300 }, (_, at) => hash('sha256', `${at}`, 'base64url'))
    const refused = random.filter((text) => refusePassword(text.slice(0, 12), EMAIL, isCommon))
    expect(refused).toEqual([])
  })

  test('is the same however its letters were typed', () => {
    expect(toPassword('cafe\u0301 cafe\u0301 x')).toBe(toPassword('café café x'))
  })
})
