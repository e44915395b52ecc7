import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/base/errors.ts'
import type { OutboundAnswer } from '../../../src/outbound/outbound-client.ts'
import {
  readPaymentAnswer,
  readPaymentRequired,
} from '../../../src/paths/x402/offers/payment-required.ts'
import { someDocument, someOffer, someV1Document } from './some-offer.ts'

const inBase64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const header = (document: unknown) => inBase64(JSON.stringify(document))

/** The problem that reading it ends with. */
function problemOf(read: () => unknown): Problem {
  try {
    read()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('It was read.')
}

const codeOf = (given: string | object) => problemOf(() => readPaymentRequired(given)).code

function anAnswer(changes: Partial<OutboundAnswer> = {}): OutboundAnswer {
  const nothing = { headers: {}, body: Buffer.from('{}'), cut: null }
  return { kind: 'answer', status: 402, remoteAddress: '127.0.0.1', ...nothing, ...changes }
}

const bodyOf = (document: unknown) => Buffer.from(JSON.stringify(document))

describe('a payment request that an agent hands over', () => {
  const document = someDocument({ extensions: { bazaar: { info: {} } } })
  const expected = {
    version: 2,
    accepts: [someOffer()],
    resource: { url: 'https://api.vendor.example/v1/data', description: 'Some data' },
    resourceUrl: 'https://api.vendor.example/v1/data',
    extensions: { bazaar: { info: {} } },
  }

  test.each([
    ['as the document itself', document],
    ['as the header', header(document)],
    ['as the header without its padding', header(document).replace(/=+$/, '')],
    ['as JSON', JSON.stringify(document)],
    ['as JSON with spaces around', `\n ${JSON.stringify(document, null, 2)} `],
  ])('is read %s', (_, given) => {
    expect(readPaymentRequired(given)).toEqual(expected)
  })

  test('of version 1 names its resource in the first offer, and has none to send back', () => {
    expect(
      readPaymentRequired(someV1Document({ resource: { url: 'https://else.example' } })),
    ).toMatchObject({ version: 1, resourceUrl: 'https://api.vendor.example/v1/data' })
    expect(readPaymentRequired(header(someV1Document())).resource).toBeUndefined()
  })

  test('is not changed on the way to the vendor and back', () => {
    const offer = someOffer({ z: 1, a: { 'ä😀': [null, 1.5, '\u2028'] }, 1: 'first' })
    const { accepts } = readPaymentRequired(header(someDocument({ accepts: [offer] })))
    expect(JSON.stringify(accepts)).toBe(JSON.stringify([offer]))
  })

  test.each([
    ['is missing', undefined],
    ['is a text', 'https://api.vendor.example'],
    ['has no URL', { description: 'Some data' }],
    ['has a URL that is no text', { url: ['https://api.vendor.example'] }],
  ])('says nothing of its place when its resource %s', (_, resource) => {
    expect(readPaymentRequired(someDocument({ resource })).resourceUrl).toBeUndefined()
  })

  test('sends back no resource that is no object, and extensions of version 2 only', () => {
    const odd = readPaymentRequired(someDocument({ resource: 'a', extensions: ['b'] }))
    const first = readPaymentRequired(someV1Document({ extensions: { bazaar: {} } }))
    expect([odd.resource, odd.extensions, first.extensions]).toEqual(Array(3).fill(undefined))
  })

  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['a page', '<html><body>Pay here</body></html>'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '402'],
    ['a text in quotes', '"eyJ4NDAyVmVyc2lvbiI6Mn0="'],
    ['base64 of something else', inBase64('<html></html>')],
    ['base64 of base64', inBase64(header(someDocument()))],
    ['base64 of bytes that are no text', inBase64(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
    ['base64 that was cut', header(someDocument()).slice(0, 200)],
    ['base64 of another alphabet', `${header(someDocument()).slice(0, -4)}-_==`],
    [
      'base64 in two lines',
      `${header(someDocument()).slice(0, 76)}\r\n${header(someDocument()).slice(76)}`,
    ],
    ['JSON behind a byte order mark', `\ufeff${JSON.stringify(someDocument())}`],
    ['base64 of that', inBase64(`\ufeff${JSON.stringify(someDocument())}`)],
    ['JSON with a comment', `${JSON.stringify(someDocument())} // cheap`],
    ['two documents', `${JSON.stringify(someDocument())}${JSON.stringify(someDocument())}`],
    ['a key that reaches for the prototype', '{"__proto__":{"x402Version":2,"accepts":[{}]}}'],
  ])('is malformed as %s', (_, given) => {
    expect(codeOf(given)).toBe('x402_malformed')
  })

  test('is malformed when a key is given twice, at any depth', () => {
    const text = JSON.stringify(someDocument())
    const twiceOutside = text.replace('{', '{"accepts":[],')
    const twiceInside = text.replace('"amount":"10000"', '"amount":"10000","amount":"1"')
    const escaped = text.replace('"amount":"10000"', '"amount":"10000","\\u0061mount":"1"')
    expect([twiceOutside, twiceInside, escaped].map((each) => codeOf(inBase64(each)))).toEqual(
      Array(3).fill('x402_malformed'),
    )
  })

  test('is malformed when it is nested without end', () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`
    const text = JSON.stringify(someDocument()).replace('{', `{"extensions":${deep},`)
    expect(codeOf(text)).toBe('x402_malformed')
    expect(codeOf(`${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`)).toBe('x402_malformed')
  })

  test.each([
    ['empty', []],
    ['missing', undefined],
    ['null', null],
    ['an object', { 0: someOffer(), length: 1 }],
    ['a text', 'exact'],
  ])('is malformed when its offers are %s', (_, accepts) => {
    expect(codeOf(someDocument({ accepts }))).toBe('x402_malformed')
  })

  test('is malformed beyond 64 KiB, in every form', () => {
    const padded = (length: number) => someDocument({ error: 'x'.repeat(length) })
    const frame = JSON.stringify(padded(0)).length
    const fits = padded(65_536 - frame)
    const isTooLong = padded(65_537 - frame)
    expect(readPaymentRequired(fits).version).toBe(2)
    expect(readPaymentRequired(JSON.stringify(fits)).version).toBe(2)
    expect(codeOf(isTooLong)).toBe('x402_malformed')
    expect(codeOf(JSON.stringify(isTooLong))).toBe('x402_malformed')
    expect(codeOf(header(padded(60_000)))).toBe('x402_malformed')
  })

  test.each([3, 0, -1, 1.5, '2', '1', null, undefined, true, [2], {}])(
    'of version %j is not supported',
    (x402Version) => {
      expect(codeOf(someDocument({ x402Version }))).toBe('x402_version_unsupported')
    },
  )

  test.each([
    [3, 'has version 3 of x402'],
    ['2', 'has no version of x402'],
  ])('of version %j is told which one it is', (x402Version, words) => {
    const { message } = problemOf(() => readPaymentRequired(someDocument({ x402Version })))
    expect(message).toContain(words)
  })
})

describe('the 402 of a vendor', () => {
  const cheap = someDocument({ accepts: [someOffer({ amount: '1' })] })

  test('is read from its header', () => {
    const headers = { 'payment-required': header(someDocument()) }
    expect(readPaymentAnswer(anAnswer({ headers })).accepts).toEqual([someOffer()])
  })

  test('is read from its header also when the body asks for something else', () => {
    const headers = { 'payment-required': header(someDocument()) }
    for (const document of [cheap, someV1Document()]) {
      const read = readPaymentAnswer(anAnswer({ headers, body: bodyOf(document) }))
      expect([read.version, read.accepts]).toEqual([2, [someOffer()]])
    }
  })

  test('is not read from the body when the header is unreadable', () => {
    for (const value of ['', '%%%', inBase64('{}x')]) {
      const headers = { 'payment-required': value }
      const answer = anAnswer({ headers, body: bodyOf(cheap) })
      expect(problemOf(() => readPaymentAnswer(answer)).code).toBe('x402_malformed')
    }
  })

  test.each([
    [1, someV1Document()],
    [2, someDocument()],
  ])('of version %d is read from the body', (version, document) => {
    expect(readPaymentAnswer(anAnswer({ body: bodyOf(document) })).version).toBe(version)
  })

  test.each(['size', 'timeout', 'reset'] as const)(
    'is not read when its body was cut by %s',
    (cut) => {
      const answer = anAnswer({ body: bodyOf(someDocument()), cut })
      expect(problemOf(() => readPaymentAnswer(answer)).code).toBe('x402_malformed')
    },
  )

  test('is not read from a body beyond 64 KiB', () => {
    const frame = bodyOf(someDocument({ error: '' })).length
    const ofLength = (bytes: number) =>
      anAnswer({ body: bodyOf(someDocument({ error: 'x'.repeat(bytes - frame) })) })
    expect(readPaymentAnswer(ofLength(65_536)).version).toBe(2)
    expect(problemOf(() => readPaymentAnswer(ofLength(65_537))).message).toContain('incomplete')
  })

  test.each([
    ['x402_malformed', '<html>Pay</html>'],
    ['x402_malformed', ''],
    ['x402_malformed', '{"x402Version":1,"accepts":[],"accepts":[{}]}'],
    ['x402_version_unsupported', '{}'],
    ['x402_version_unsupported', '[]'],
    ['x402_version_unsupported', JSON.stringify(header(someDocument()))],
  ])('ends as %s with the body %s', (code, body) => {
    const answer = anAnswer({ body: Buffer.from(body) })
    expect(problemOf(() => readPaymentAnswer(answer)).code).toBe(code)
  })

  describe('by which a vendor asks to be paid by the scheme Payment', () => {
    const challenge = 'Payment id="a1", realm="vendor.example", method="tempo", intent="charge"'

    test.each([
      ['alone', challenge],
      ['in other letters', challenge.toUpperCase()],
      ['after another challenge', `Bearer realm="vendor.example", ${challenge}`],
    ])('is refused with the name of that rail, %s', (_, value) => {
      const headers = { 'www-authenticate': value }
      for (const body of ['', '{}', '{"type":"about:blank"}', '<html></html>']) {
        const answer = anAnswer({ headers, body: Buffer.from(body) })
        const { code, message } = problemOf(() => readPaymentAnswer(answer))
        expect([code, message.includes('MPP')]).toEqual(['x402_malformed', true])
      }
    })

    test('is paid by x402 when it offers that too', () => {
      const headers = { 'www-authenticate': challenge }
      const inBody = anAnswer({ headers, body: bodyOf(someV1Document()) })
      const inHeader = anAnswer({ headers: { ...headers, 'payment-required': header(cheap) } })
      expect(readPaymentAnswer(inBody).version).toBe(1)
      expect(readPaymentAnswer(inHeader).accepts).toHaveLength(1)
    })

    test('is not meant by a scheme that only begins alike', () => {
      const headers = { 'www-authenticate': 'PaymentToken realm="x", Bearer error="no payment"' }
      const { message } = problemOf(() => readPaymentAnswer(anAnswer({ headers })))
      expect(message).not.toContain('MPP')
    })
  })
})
