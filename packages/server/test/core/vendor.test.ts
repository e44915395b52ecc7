import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coversPattern,
  createVendorSet,
  isOneLabel,
  matchesVendor,
  toVendor,
  toVendorPattern,
} from '../../src/core/vendor.ts'

const label = fc.constantFrom('a', 'b', 'c', 'api', 'x-1')
const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
const pattern = fc.tuple(fc.boolean(), host).map(([wild, name]) => (wild ? `*.${name}` : name))

describe('a vendor', () => {
  test.each([
    ['API.OpenAI.com', 'api.openai.com'],
    ['api.openai.com.', 'api.openai.com'],
    ['api.openai.com:8443', 'api.openai.com'],
    ['https://API.openai.com:443/v1?q=a@b#c', 'api.openai.com'],
    ['HTTP://openai.com', 'openai.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ＥＸＡＭＰＬＥ.com', 'example.com'],
    ['localhost', 'localhost'],
    ['my_service.internal', 'my_service.internal'],
    ['192.0.2.1', '192.0.2.1'],
    ['http://[2001:DB8:0::1]:80/', '[2001:db8::1]'],
  ])('%j is %j', (text, vendor) => {
    expect(toVendor(text)).toBe(vendor)
  })

  test.each([
    ['nothing', ''],
    ['a space', 'good.com evil.com'],
    ['a space around it', ' good.com'],
    ['a line break', 'good.com\r\nHost: evil.com'],
    ['a tab, which URL parsers drop', 'good\t.com'],
    ['a NUL', 'good.com\0'],
    ['a user name', 'http://good.com@evil.com'],
    ['a user name without a scheme', 'good.com@evil.com'],
    ['a user name and password', 'https://good.com:x@evil.com/'],
    ['a backslash, which some parsers read as a slash', 'https://evil.com\\@good.com'],
    ['an escaped character', 'http://good%2Ecom'],
    ['a path without a scheme', 'good.com/path'],
    ['another scheme', 'ftp://good.com'],
    ['a script', 'javascript:alert(1)'],
    ['a wildcard', '*.good.com'],
    ['an empty label', 'good..com'],
    ['a dot in front', '.good.com'],
    ['two dots at the end', 'good.com..'],
    ['a hyphen at the end of a label', 'good-.com'],
    ['a port that does not exist', 'good.com:http'],
    ['a label of 64 characters', `${'a'.repeat(64)}.com`],
    ['254 characters', `${'a.'.repeat(125)}comm`],
    ['a character that becomes a slash', 'good.com℀evil.com'],
    ['a short form of an IP address', '127.1'],
    ['an IP address as a number', '2130706433'],
    ['an IP address in hexadecimal', '0x7f.0.0.1'],
    ['an IP address in octal', '0177.0.0.1'],
    ['an IPv6 address without brackets', '2001:db8::1'],
    ['a scheme and nothing more', 'https://'],
  ])('with %s is refused', (_, text) => {
    expect(toVendor(text)).toBeUndefined()
  })

  test.each(['a.', 'A.'])('of 253 characters is accepted, written with %j', (label) => {
    expect(toVendor(`${label.repeat(125)}com`)).toBe(`${'a.'.repeat(125)}com`)
  })

  test('is read from a URL of up to 2,048 characters', () => {
    const url = (length: number) => 'https://a.com/'.padEnd(length, 'x')
    expect([toVendor(url(2_048)), toVendor(url(2_049))]).toEqual(['a.com', undefined])
  })

  test('is a single word only where it can be no host', () => {
    const vendors = ['openai', 'openai.com', 'localhost', '192.0.2.1', '[2001:db8::1]']
    expect(vendors.filter(isOneLabel)).toEqual(['openai'])
  })

  test('in normal form always stays as it is', () => {
    // Joined by hand: the first text that fc.string makes costs a second of preparation.
    const character = fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xffff }),
    )
    const noise = fc
      .array(character, { maxLength: 12 })
      .map((codes) => String.fromCharCode(...codes))
    const texts = fc.oneof(noise, fc.ipV4(), host)
    fc.assert(
      fc.property(texts, (text) => {
        const vendor = toVendor(text)
        expect(vendor === undefined ? undefined : toVendor(vendor)).toBe(vendor)
      }),
    )
  })

  test('is the same whether the short way or the URL parser reads it', () => {
    const part = fc.constantFrom('a', 'x', 'n', 'xn--', '-', '_', '.', '.', '0', '9', 'com', '0x7f')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 9 }), (parts) => {
        const text = parts.join('')
        expect(toVendor(text)).toBe(toVendor(`${text}:80`))
      }),
      { numRuns: 2_000 },
    )
  })

  const urlWith = (...marks: string[]) =>
    fc
      .tuple(fc.constantFrom('http', 'HTTPS'), host, fc.constantFrom(...marks), host)
      .map(([scheme, first, mark, second]) => `${scheme}://${first}${mark}${second}`)

  test('is always the host that a fetch of the URL would call', () => {
    fc.assert(
      fc.property(urlWith('/', '?', '#', '.', '/@', '?@'), (url) => {
        expect(toVendor(url)).toBe(new URL(url).hostname)
      }),
    )
  })

  test('is never read from a URL in which two programs could see two hosts', () => {
    fc.assert(
      fc.property(urlWith('@', ':@', '\\', '\\@', '%2e', '%40', '\t', '℀'), (url) => {
        expect(toVendor(url)).toBeUndefined()
      }),
    )
  })
})

describe('a vendor pattern', () => {
  test.each([
    ['API.example.com', 'api.example.com'],
    ['https://example.com/shop', 'example.com'],
    ['*.Example.com.', '*.example.com'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['*.acme.github.io', '*.acme.github.io'],
    ['*.corp.internal', '*.corp.internal'],
    ['github.io', 'github.io'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%j is %j', (text, normal) => {
    expect(toVendorPattern(text)).toEqual({ pattern: normal })
  })

  test.each(['*.com', '*.co.uk', '*.github.io', '*.localhost', '*.compute.amazonaws.com'])(
    '%s is refused, because anyone can register names below it',
    (text) => {
      expect(toVendorPattern(text)).toEqual({ error: expect.stringContaining('anyone') })
    },
  )

  test.each([
    '*',
    '*.',
    '**.example.com',
    '*.*.example.com',
    'a.*.com',
    'api*.example.com',
    '*example.com',
  ])('%s is refused, because the wildcard is not a whole label at the front', (text) => {
    expect(toVendorPattern(text)).toEqual({ error: expect.stringContaining('`*.`') })
  })

  test('with a wildcard or without is refused with what would be right there', () => {
    expect(toVendorPattern('good.com/*')).toEqual({ error: expect.stringContaining('`*.`') })
    expect(toVendorPattern('good.com/shop')).toEqual({ error: expect.stringContaining('URL') })
  })

  test.each(['*.192.0.2.1', '*.[::1]', '*.https://example.com', '*.example.com:80', '', 'a b'])(
    '%j is refused',
    (text) => {
      expect(toVendorPattern(text)).toHaveProperty('error')
    },
  )

  test.each([
    ['a.com', 'a.com', true],
    ['a.com', 'x.a.com', false],
    ['*.a.com', 'x.a.com', true],
    ['*.a.com', 'y.x.a.com', true],
    ['*.a.com', 'a.com', false],
    ['*.a.com', 'evila.com', false],
    ['*.a.com', 'a.com.evil.net', false],
  ])('%s against %s: %s', (listed, vendor, matches) => {
    expect(matchesVendor(listed, vendor)).toBe(matches)
  })
})

describe('a set of vendor patterns', () => {
  test('always matches what one of its patterns matches, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 8 }), host, (patterns, vendor) => {
        const set = createVendorSet(patterns)
        const matching = patterns.filter((listed) => matchesVendor(listed, vendor))
        expect(set.has(vendor)).toBe(matching.length > 0)
        expect([undefined, ...matching]).toContain(set.match(vendor))
      }),
    )
  })

  test('names the closest pattern', () => {
    const set = createVendorSet(['*.a.com', '*.b.a.com', 'c.b.a.com'])
    expect(['c.b.a.com', 'd.b.a.com', 'd.a.com', 'a.com'].map(set.match)).toEqual([
      'c.b.a.com',
      '*.b.a.com',
      '*.a.com',
      undefined,
    ])
  })
})

describe('covering a pattern', () => {
  // Patterns made from the ends of one host are related often enough to say something.
  const related = fc.array(label, { minLength: 4, maxLength: 4 }).chain((labels) => {
    const end = fc.integer({ min: 0, max: 3 }).map((from) => labels.slice(from).join('.'))
    const some = fc.tuple(fc.boolean(), end).map(([wild, name]) => (wild ? `*.${name}` : name))
    return fc.record({ outer: some, inner: some, vendor: end })
  })

  test('always means that no host matches the inner and not the outer', () => {
    fc.assert(
      fc.property(related, ({ outer, inner, vendor }) => {
        const escapes = matchesVendor(inner, vendor) && !matchesVendor(outer, vendor)
        expect(escapes && coversPattern(outer, inner)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['*.a.com', '*.a.com', true],
    ['*.a.com', '*.b.a.com', true],
    ['*.a.com', 'b.a.com', true],
    ['a.com', 'a.com', true],
    ['*.a.com', 'a.com', false],
    ['*.b.a.com', '*.a.com', false],
    ['a.com', '*.a.com', false],
    ['*.a.com', '*.ba.com', false],
  ])('%s covers %s: %s', (outer, inner, covers) => {
    expect(coversPattern(outer, inner)).toBe(covers)
  })
})
