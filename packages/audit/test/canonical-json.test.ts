import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalTextOf, isSameJson, toCanonicalJson } from '../src/index.ts'

describe('the canonical text of a JSON value', () => {
  test('has the names in the order of RFC 8785, 3.2.3, also those that look like numbers', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const names = ['\\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
    const inOrder = [...(toCanonicalJson(value) ?? '').matchAll(/"([^"]+)":/g)].map(([, it]) => it)
    expect(inOrder).toEqual(names)
    expect(toCanonicalJson({ b: 1, 10: 2, 9: 3 })).toBe('{"10":2,"9":3,"b":1}')
  })

  test('has the numbers and texts of RFC 8785, 3.2.2', () => {
    const text = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`
    expect(toCanonicalJson(JSON.parse(text))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
    expect(toCanonicalJson(-0)).toBe('0')
  })

  test.each([
    ['a number that is not finite', Number.NaN],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['nothing at all', undefined],
    ['nothing in a list', [undefined]],
    ['half of a surrogate pair', { text: '\ud800' }],
    ['half of a surrogate pair as a name', { '\ude00': 1 }],
    ['more levels than it goes down', JSON.parse('['.repeat(65) + ']'.repeat(65))],
  ])('is not there for %s', (_, value) => {
    expect(toCanonicalJson({ value })).toBe(value === undefined ? '{}' : undefined)
    expect(toCanonicalJson([value])).toBeUndefined()
  })

  test('is a defect to be without for what must be JSON', () => {
    expect(canonicalTextOf({ b: [1, null], a: 'x' })).toBe('{"a":"x","b":[1,null]}')
    for (const value of [Number.NaN, '\ud800', undefined]) {
      expect(() => canonicalTextOf(value)).toThrow('no canonical text')
    }
  })

  test('says whether two values are the same, and that absent is not null', () => {
    expect(isSameJson({ a: 1, b: { c: [2], d: 3 } }, { b: { d: 3, c: [2] }, a: 1 })).toBe(true)
    expect(isSameJson({ tags: ['a', 'b'] }, { tags: ['b', 'a'] })).toBe(false)
    expect(isSameJson(undefined, undefined)).toBe(true)
    expect([isSameJson(undefined, null), isSameJson(null, undefined)]).toEqual([false, false])
  })

  test('is what JSON.parse gives the same value for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = toCanonicalJson(value) ?? ''
        expect(toCanonicalJson(JSON.parse(text))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('is the same in whatever order the fields were written', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme' }), fc.integer()), {
      selector: ([name]) => name,
    })
    fc.assert(
      fc.property(entries, (fields) => {
        const [one, other] = [Object.fromEntries(fields), Object.fromEntries(fields.toReversed())]
        expect(toCanonicalJson(one)).toBe(toCanonicalJson(other))
      }),
    )
  })
})
