import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/errors.ts'
import { parseStrictJson } from '../../src/base/strict-json.ts'

function parse(text: string | Buffer): unknown {
  return parseStrictJson(Buffer.from(text))
}

function refusal(text: string | Buffer): string {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof Problem && error.code === 'malformed_json') return error.message
    throw error
  }
  return 'accepted'
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('strict JSON', () => {
  test('reads every JSON value that is free of the traps as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('"__proto__"'))
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('reads the same value however it is spaced and escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ max: 8 }), (text, spaces) => {
        const escaped = JSON.stringify({ a: [text] }, undefined, spaces).replace(
          /[^\x20-\x7e\n]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        expect(parse(escaped)).toEqual({ a: [text] })
      }),
    )
  })

  test('refuses a key that is repeated anywhere, wherever the object stands', () => {
    const key = fc.string({ unit: 'grapheme-ascii' }).filter((text) => text !== '__proto__')
    fc.assert(
      fc.property(key, fc.jsonValue(), fc.array(key), (name, value, others) => {
        const members = [name, ...others, name].map((k) => `${JSON.stringify(k)}: 1`).join(', ')
        const text = `{"outer": [{"inner": {${members}}}], "value": ${JSON.stringify(value)}}`
        expect(refusal(text)).toMatch(/appears twice/)
      }),
    )
  })

  test.each([
    ['{"amount":1,"amount":2}', 'plainly'],
    ['{"amount":1,"\\u0061mount":2}', 'spelled with an escape'],
    ['{"a\\"b":1,"a\\"b":2}', 'with a quote in it'],
    ['{"a\\\\":1,"a\\\\":2}', 'that ends in a backslash'],
    ['{"":1,"":2}', 'that is empty'],
    ['{"a":{"b":1},"c":[{"b":1,"b":1}]}', 'in an object further in'],
    ['{"a":[1,2,{}],"a":1}', 'after an array'],
    ['{"a":"}{,","a":1}', 'after a text that looks like structure'],
  ])('refuses %s: a key given twice %s', (text) => {
    expect(refusal(text)).toMatch(/appears twice in one object/)
  })

  test.each(['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":2}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}'])(
    'accepts %s, where no object has a key twice',
    (text) => {
      expect(parse(text)).toEqual(JSON.parse(text))
    },
  )

  test('accepts 32 levels and refuses 33, of arrays, objects and both', () => {
    expect(refusal(nested(32))).toBe('accepted')
    expect(refusal(nested(33))).toMatch(/deeper than 32/)
    expect(refusal(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toMatch(/deeper than 32/)
    expect(refusal(`{"a":${nested(32)}}`)).toMatch(/deeper than 32/)
    expect(refusal(`[${nested(31)},${nested(31)}]`)).toBe('accepted')
    expect(refusal(`"${'['.repeat(100)}"`)).toBe('accepted')
  })

  test.each([
    ['"\\u0000"', 'control character'],
    ['"a\\u001fb"', 'control character'],
    ['"\\b"', 'control character'],
    ['{"a\\u0000":1}', 'control character'],
    ['"\\ud800"', 'surrogate'],
    ['"\\udc00\\ud800"', 'surrogate'],
    ['{"\\udfff":1}', 'surrogate'],
    ['"\\ud83d\\u0020\\ude00"', 'surrogate'],
  ])('refuses the text %s (%s)', (text, reason) => {
    expect(refusal(text)).toContain(reason)
  })

  test.each([
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\t\\n\\r"', '\t\n\r'],
    ['"\\\\u0000"', '\\u0000'],
    ['"\u2028\u007f"', '\u2028\u007f'],
  ])('accepts the text %s', (text, value) => {
    expect(parse(text)).toBe(value)
  })

  test.each([
    '0.10000000000000000000001',
    '123456789012345678',
    '-1.23456789012345678',
    '[1,1e1,111111111111111111]',
  ])('refuses %s, which a double cannot hold', (text) => {
    expect(refusal(text)).toMatch(/significant digits/)
  })

  test.each([
    '12345678901234567',
    '-100000000000000000000',
    '0.1000000000000000000000',
    '0.00000000000000000001',
    '1e308',
    '-0.1',
    '1E+5',
    '999999999.999999',
  ])('accepts the number %s', (text) => {
    expect(parse(text)).toBe(JSON.parse(text))
  })

  test.each(['{"__proto__":{"admin":true}}', '{"a":{"\\u005f_proto__":1}}'])(
    'refuses %s',
    (text) => {
      expect(refusal(text)).toMatch(/__proto__/)
    },
  )

  test.each([
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['a surrogate as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a raw NUL', Buffer.from('"\u0000"')],
    ['a raw line break in a text', Buffer.from('"\n"')],
    ['nothing', Buffer.from('')],
    ['half an object', Buffer.from('{"a":')],
    ['a comma too many', Buffer.from('[1,]')],
    ['a comment', Buffer.from('{} // yes')],
    ['single quotes', Buffer.from("{'a':1}")],
    ['NaN', Buffer.from('NaN')],
    ['a number with a leading zero', Buffer.from('01')],
  ])('refuses %s', (_, body) => {
    expect(refusal(body)).not.toBe('accepted')
  })

  test('either accepts a text as JSON.parse does or refuses it, and never fails otherwise', () => {
    const char = fc.constantFrom(...'{}[]",:\\u0019ead.-+ \n')
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 40 }), (text) => {
        if (refusal(text) === 'accepted') expect(parse(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
