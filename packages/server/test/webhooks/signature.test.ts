import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newWebhookSecret } from '../../src/storage/secrets/webhook-secret.ts'
import { signatureHeaders } from '../../src/webhooks/signature.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwcJ4wqvYV0bU='

/**
 * For whoever writes a receiver: what is signed, and what comes out. Made with openssl, not with the
 * code under test.
 */
const VECTORS = [
  {
    name: 'an approval',
    id: 'evt_019a85617c5e7d409b5e6f1f0a3c2b11',
    timestamp: 1_794_735_000,
    body: '{"event":"transaction.approved","timestamp":"2026-11-15T09:30:00.000Z","data":{"transactionId":"txn_019a85617c5e7d409b5e6f1f0a3c2b11","agentId":"019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11","mandateId":"mnd_019a85617c5e7d409b5e6f1f0a3c2b11","amount":12.5,"vendor":"api.example.com","category":"llm","remainingBudget":87.5,"decision":"approved"}}',
    xServiceSignature: '74a23ebadd59942d9402f105b7f8ec4efe0c49d5b0a6e1eb52089af0df0f3f6a',
    webhookSignature: 'v1,xEO/NiHIcVdQmE+3A6RJe3hdm7y5EKA27t/1bDKwXek=',
  },
  {
    name: 'letters of more than one byte',
    id: 'evt_019a85617c5e7d409b5e6f1f0a3c2b12',
    timestamp: 1_794_735_001,
    body: '{"event":"transaction.rejected","data":{"vendor":"größe.example","reason":"„Nein“ 🚫"}}',
    xServiceSignature: 'd46b4a5c84fd9276f9fb56d3446d81732bdca7893a0ef0000764b71658f517fe',
    webhookSignature: 'v1,CYbcHZzd9nyceaJTTVernJ3g57WRJH4SkFAsm3HVp3k=',
  },
]

/** `openssl dgst -sha256`, keyed as the parameters say, of the text. */
function openssl(parameters: readonly string[], text: string): Buffer {
  return execFileSync('openssl', ['dgst', '-sha256', ...parameters, '-binary'], { input: text })
}

const signed = (secret: string, id: string, timestamp: number, body: string) =>
  signatureHeaders({ current: secret, previous: undefined }, id, timestamp * 1_000, body)

describe('the signature of a webhook', () => {
  test.each(VECTORS)('is the published one for $name', (vector) => {
    expect(signed(SECRET, vector.id, vector.timestamp, vector.body)).toEqual({
      'x-service-signature': vector.xServiceSignature,
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.webhookSignature,
    })
  })

  test.each(VECTORS)('is what openssl makes of $name', ({ id, timestamp, body }) => {
    const secret = newWebhookSecret()
    const headers = signed(secret, id, timestamp, body)
    const hex = openssl(['-hmac', secret], body).toString('hex')
    expect(headers['x-service-signature']).toBe(hex)
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64').toString('hex')
    const standard = openssl(
      ['-mac', 'HMAC', '-macopt', `hexkey:${key}`],
      `${id}.${timestamp}.${body}`,
    )
    expect(headers['webhook-signature']).toBe(`v1,${standard.toString('base64')}`)
  })

  test('of any body is what the stock library of Standard Webhooks makes of it', () => {
    const aTime = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), aTime, (body, id, timestamp) => {
        const secret = newWebhookSecret()
        const at = new Date(timestamp * 1_000)
        const headers = signed(secret, id, timestamp, body)
        expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(id, at, body))
      }),
    )
  })

  test('is taken by the stock library with either secret while two are valid, and by no third', () => {
    const [current, previous, stranger] = [
      newWebhookSecret(),
      newWebhookSecret(),
      newWebhookSecret(),
    ]
    const body = '{"event":"transaction.approved"}'
    const headers = signatureHeaders({ current, previous }, 'evt_1', Date.now(), body)
    const verify = (secret: string) => new Webhook(secret).verify(body, { ...headers })
    expect(verify(current)).toEqual({ event: 'transaction.approved' })
    expect(verify(previous)).toEqual({ event: 'transaction.approved' })
    expect(() => verify(stranger)).toThrow('No matching signature found')
    expect(headers['x-service-signature']).toBe(openssl(['-hmac', current], body).toString('hex'))
  })

  test('covers the body, the id and the time', () => {
    const body = '{"amount":12.5}'
    const headers = signed(SECRET, 'evt_1', Math.floor(Date.now() / 1_000), body)
    const verify = (text: string, change = {}) =>
      new Webhook(SECRET).verify(text, { ...headers, ...change })
    const later = { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }
    expect(verify(body)).toEqual({ amount: 12.5 })
    expect(() => verify('{"amount":12.6}')).toThrow()
    expect(() => verify(body, { 'webhook-id': 'evt_2' })).toThrow()
    expect(() => verify(body, later)).toThrow()
  })
})

describe('a new secret', () => {
  test('is 32 random bytes that the stock library takes, and never the same twice', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(() => new Webhook(secret)).not.toThrow()
    }
  })
})
