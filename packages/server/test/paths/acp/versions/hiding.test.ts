import { expect, test } from 'vitest'
import { createHiding, digestOf, hideIn } from '../../../../src/paths/acp/versions/hiding.ts'

const TOKEN = 'vt_7d0c-93/a+b='
const stored = { of: 'chk_1', hash: digestOf('chk_1', TOKEN) }

test('secrets are hidden wherever a merchant repeats them', () => {
  const hide = createHiding({ plain: ['sk_live_1', 'sk_live_1_long', 'a&b c'], digest: null })
  expect(hide('Bearer SK_LIVE_1 is wrong')).toBe('Bearer … is wrong')
  expect(hide('sk_live_1_long')).toBe('…')
  expect(hide('https://shop.example/?key=a%26b%20c&d=1')).toBe('https://shop.example/?key=…&d=1')
})

test('a token is found by its digest, alone and in a URL', () => {
  const hide = createHiding({ plain: [], digest: stored })
  expect(hide(TOKEN)).toBe('…')
  expect(hide(`the token "${TOKEN}" was declined`)).toBe('the token "…" was declined')
  expect(hide(`${TOKEN}, or another`)).toBe('…, or another')
  expect(hide('vt_of_another_checkout')).toBe('vt_of_another_checkout')
  expect(hide('the reason is undefined')).toBe('the reason is undefined')
})

test('a digest belongs to its checkout', () => {
  const hide = createHiding({ plain: [], digest: { ...stored, of: 'chk_2' } })
  expect(hide(TOKEN)).toBe(TOKEN)
})

test('a text stays as it is without secrets, and beside short ones', () => {
  const text = 'abc paid with pi'
  expect(createHiding({ plain: [], digest: null })(text)).toBe(text)
  expect(createHiding({ plain: [null, '', 'abc', 'pi'], digest: null })(text)).toBe(text)
  expect(createHiding({ plain: ['paid'], digest: null })(text)).toBe('abc … with pi')
})

test('words of the protocol stay, even if a secret is spelled like one', () => {
  const hide = createHiding({ plain: ['completed'], digest: null })
  expect(hideIn({ status: 'completed' }, hide)).toEqual({ status: 'completed' })
  expect(hide('order completed')).toBe('order …')
})

test('a document loses its secrets in texts and in names', () => {
  const hide = createHiding({ plain: ['sk_live_1'], digest: null })
  const document = { sk_live_1: [null, 7, true, { echo: 'key sk_live_1' }] }
  expect(hideIn(document, hide)).toEqual({ '…': [null, 7, true, { echo: 'key …' }] })
})
