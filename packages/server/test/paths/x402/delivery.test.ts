import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboundClient } from '../../../src/outbound/outbound-client.ts'
import { callSeller, toDelivery } from '../../../src/paths/x402/resource/delivery.ts'
import { GET, startVendorStandIn, type VendorStandIn } from './vendor-stand-in.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

let vendor: VendorStandIn

beforeAll(async () => {
  vendor = await startVendorStandIn()
})
afterAll(() => vendor.stop())

describe('a call to a vendor', () => {
  test('carries the headers of the agent, but none that are not its own to set', async () => {
    const forbidden = [
      ...['Host', 'Authorization', 'Cookie', 'Connection', 'Keep-Alive', 'TE', 'Trailer'],
      ...['Transfer-Encoding', 'Upgrade', 'Expect', 'Content-Length', 'Accept-Encoding'],
      ...['Forwarded', 'Proxy-Authorization', 'Proxy-Connection', 'X-Forwarded-For', 'X-Real-IP'],
      ...[
        'X-Forwarded-Host',
        'PAYMENT-SIGNATURE',
        'Payment-Required',
        'X-PAYMENT',
        'x-Payment-Response',
      ],
    ]
    const headers = {
      ...Object.fromEntries(forbidden.map((name) => [name, '66'])),
      Accept: 'text/plain',
      'X-Custom': 'kept; as="it is"',
    }
    await vendor.call({ headers })
    const { headers: received } = vendor.last
    expect(received).toMatchObject({ accept: 'text/plain', 'x-custom': 'kept; as="it is"' })
    expect(Object.entries(received).filter(([, value]) => value === '66')).toEqual([])
    expect(received['accept-encoding']).toBe('identity')
  })

  test('carries the payment, whatever the agent sent under its name', async () => {
    const payment = { headerName: 'PAYMENT-SIGNATURE', headerValue: 'ours' }
    await vendor.call(
      { headers: { 'Payment-Signature': 'theirs', 'X-PAYMENT': 'theirs' } },
      payment,
    )
    const { headers } = vendor.last
    expect([headers['payment-signature'], headers['x-payment']]).toEqual(['ours', undefined])
  })

  test('leaves out headers that cannot be sent, instead of failing once it is paid', async () => {
    const headers = {
      'x-split': 'a\r\nx-smuggled: 1',
      'x-letters': 'ä',
      'bad name': '1',
      'x:colon': '1',
      '': '1',
      'x-good': '1',
    }
    const result = await vendor.call({ headers })
    expect(result).toMatchObject({ kind: 'answer', status: 200 })
    const { headers: received } = vendor.last
    expect(Object.keys(received).filter((name) => name.startsWith('x'))).toEqual(['x-good'])
  })

  test('carries the bytes of the body', async () => {
    await vendor.call({ method: 'POST', body: Buffer.from('{"a":"ä"}') })
    const received = vendor.last
    expect([received.body, received.headers['content-length']]).toEqual(['{"a":"ä"}', '10'])
  })

  test('to which no answer comes delivers nothing and says why', async () => {
    expect(await vendor.deliveryOf((response) => response.destroy())).toEqual({
      resource: null,
      resourceError: { code: 'connection_lost', message: expect.stringContaining('connection') },
      receipt: null,
    })
  })

  test('to a place that may not be called delivers nothing', async () => {
    const outbound = createOutboundClient({ allowLoopback: false, allowedNetworks: [] })
    const delivery = await toDelivery(await callSeller(outbound, vendor.url, GET))
    await outbound.close()
    expect(delivery).toMatchObject({ resource: null, resourceError: { code: 'url_not_allowed' } })
  })
})

describe('what a vendor delivers', () => {
  test('comes with its status and its headers, but for those of the connection and of its sessions', async () => {
    const { resource } = await vendor.deliveryOf((response) => {
      response.writeHead(206, {
        'content-type': 'text/plain',
        etag: '"1"',
        'x-several': ['a', 'b'],
        'payment-response': 'receipt',
        'set-cookie': ['session=1', 'other=2'],
        'set-cookie2': 'old=1',
        'keep-alive': 'timeout=5',
        'proxy-authenticate': 'Basic',
        'alt-svc': 'h3=":443"',
        'strict-transport-security': 'max-age=1',
      })
      response.end('text')
    })
    expect(resource?.status).toBe(206)
    expect(resource?.headers).toEqual({
      'content-type': 'text/plain',
      etag: '"1"',
      'x-several': 'a, b',
      'payment-response': 'receipt',
      date: expect.any(String),
    })
  })

  test.each([
    ['an object', '{"a":[1,"ä",null]}', JSON_TYPE, { a: [1, 'ä', null] }],
    ['null', 'null', JSON_TYPE, null],
    ['a list, with spaces', ' [ 1.50 , 2 ] ', 'application/vnd.api+json', [1.5, 2]],
    ['a problem', '{"status":404}', 'application/problem+json', { status: 404 }],
  ])('is parsed when it is JSON: %s', async (_, text, type, body) => {
    const resource = await vendor.resourceOf(text, { 'content-type': type })
    expect(resource).toMatchObject({ body, bodyEncoding: 'json', truncated: false })
  })

  test.each([
    ['a text', 'Grüße\n', 'text/plain'],
    ['JSON that does not say so', '{"a":1}', 'text/plain'],
    ['JSON that nobody speaks of', '{"a":1}', ''],
    ['something that only says it is JSON', '{"a":1', JSON_TYPE],
    ['nothing', '', JSON_TYPE],
    ['JSON behind a byte order mark', '\ufeff{"a":1}', JSON_TYPE],
    ['JSON with a key given twice', '{"a":1,"a":2}', JSON_TYPE],
    ['JSON with a hostile key', '{"__proto__":{"a":1}}', JSON_TYPE],
    ['JSON nested without end', '['.repeat(100) + ']'.repeat(100), JSON_TYPE],
  ])('is handed on as text when it is %s', async (_, text, type) => {
    const resource = await vendor.resourceOf(text, type === '' ? {} : { 'content-type': type })
    expect(resource).toMatchObject({ body: text, bodyEncoding: 'utf8', truncated: false })
  })

  test('is handed on in base64 when it is no text', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff])
    for (const type of ['image/png', JSON_TYPE]) {
      const resource = await vendor.resourceOf(bytes, { 'content-type': type })
      expect(resource).toMatchObject({ body: bytes.toString('base64'), bodyEncoding: 'base64' })
    }
  })

  describe('with a number that JavaScript', () => {
    test.each([
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567',
      '1234567890123456789',
      '0.1234567890123456789',
      '1e400',
      '-1e400',
      '1e-400',
      '90071992547409931e-5',
      '{"id":9007199254740993,"note":"1"}',
    ])('would alter is handed on as the text that it is: %s', async (text) => {
      const resource = await vendor.resourceOf(text, { 'content-type': JSON_TYPE })
      expect(resource).toMatchObject({ body: text, bodyEncoding: 'utf8' })
    })

    test.each([
      ['9007199254740991', 9_007_199_254_740_991],
      ['9007199254740992', 9_007_199_254_740_992],
      ['0.1', 0.1],
      ['1.10', 1.1],
      ['1E3', 1_000],
      ['123e-2', 1.23],
      ['0.000', 0],
      ['1e21', 1e21],
      ['1.7976931348623157e308', Number.MAX_VALUE],
      ['5e-324', Number.MIN_VALUE],
      [
        '{"9007199254740993":"9007199254740993 \\" 1e400"}',
        { '9007199254740993': '9007199254740993 " 1e400' },
      ],
    ])('holds exactly is parsed: %s', async (text, body) => {
      const resource = await vendor.resourceOf(text, { 'content-type': JSON_TYPE })
      expect(resource).toMatchObject({ body, bodyEncoding: 'json' })
    })
  })
})
