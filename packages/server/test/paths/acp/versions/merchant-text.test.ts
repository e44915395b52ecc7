import { expect, test } from 'vitest'
import {
  isPathStep,
  readDocument,
  readId,
  readText,
  readUrl,
} from '../../../../src/paths/acp/versions/merchant-text.ts'

const LONE_SURROGATE = '\ud800'

test('an id keeps its text, or is refused', () => {
  expect(readId('cs_1')).toBe('cs_1')
  expect(readId('i'.repeat(256))).toBe('i'.repeat(256))
  for (const refused of ['', 'i'.repeat(257), 'a\nb', LONE_SURROGATE, 7, null, undefined]) {
    expect(readId(refused), String(refused)).toBeNull()
  }
})

test('only the names of folders lead an id out of its URL', () => {
  expect(['.', '..', '...', 'a', '.a'].filter(isPathStep)).toEqual(['.', '..'])
})

test('a text for people is cut and cleaned', () => {
  expect(readText(`  ${'a'.repeat(300)}`)).toBe('a'.repeat(198))
  expect(readText(`two\nlines${LONE_SURROGATE}`)).toBe('two lines')
  for (const empty of ['', ' \n ', 7, null]) expect(readText(empty)).toBeNull()
})

test('a link leads to a web page', () => {
  for (const url of ['https://shop.example/a?b=c', 'http://shop.example/']) {
    expect(readUrl(url)).toBe(url)
  }
  const schemes = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//shop.example',
  ]
  for (const refused of [...schemes, '', 7, null]) expect(readUrl(refused)).toBeNull()
})

test('a link has at most 2,048 characters', () => {
  const urlOf = (length: number) => `https://shop.example/`.padEnd(length, 'a')
  expect(readUrl(urlOf(2_048))).toBe(urlOf(2_048))
  expect(readUrl(urlOf(2_049))).toBeNull()
})

test('a document is kept unchanged, with null and every other type', () => {
  const document = { a: null, b: [1, true, 'text', { c: {} }], 'a name': 'ü' }
  expect(readDocument(document)).toBe(document)
  for (const other of [null, 'text', 7, [], [document]]) expect(readDocument(other)).toBeNull()
})

test.each<[what: string, document: object]>([
  ['a long text', { text: 'a'.repeat(9_000) }],
  ['many texts', { texts: Array(2_000).fill('a') }],
  ['many numbers', { numbers: Array(500).fill(1) }],
  ['many values that are null', { values: Array(500).fill(null) }],
  ['many names', Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`name${at}`, {}]))],
  ['a control character in a text', { text: 'a\u0000b' }],
  ['half a surrogate pair in a name', { [LONE_SURROGATE]: 1 }],
  ['many levels', JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`)],
])('a document with %s is refused', (_what, document) => {
  expect(readDocument(document)).toBeNull()
})
