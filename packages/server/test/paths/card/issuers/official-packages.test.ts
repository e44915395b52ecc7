import Lithic from 'lithic'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { signAsLithic, signAsStripe } from '../../../../src/paths/card/issuers/sign.ts'
import {
  type SignedBytes,
  verifyStandardWebhook,
  verifyStripe,
} from '../../../../src/paths/card/issuers/signatures.ts'
import { sampleBytes } from '../../../support/card/samples.ts'

const NOW = 1_767_225_600

function signed(body: string, headers: Readonly<Record<string, string>>): SignedBytes {
  return { body: Buffer.from(body), header: (name) => headers[name] }
}

describe('with the package of Stripe', () => {
  const { webhooks } = new Stripe('sk_test_unused')
  const body = sampleBytes('stripe/01_request_initial').toString()
  const secret = 'whsec_7JdH2kcQ'
  const header = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: NOW })
  const verify = (text: string, key = secret, now = NOW) =>
    verifyStripe(signed(body, { 'stripe-signature': text }), key, now)

  test('we take what it signs, up to 300 seconds either way', () => {
    expect([-301, -300, 0, 300, 301].map((off) => verify(header, secret, NOW + off))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })

  test('it takes what we sign, and nothing signed with another secret', () => {
    const { 'stripe-signature': ours } = signAsStripe(body, secret, NOW)
    const construct = (key: string) =>
      webhooks.constructEvent(body, ours, key, 300, undefined, NOW * 1_000)
    expect(construct(secret).type).toBe('issuing_authorization.request')
    expect(() => construct('whsec_other')).toThrow('signature')
    expect(verify(header, 'whsec_other')).toBe(false)
  })

  test('both take one signature among several', () => {
    const other = signAsStripe(body, 'whsec_other', NOW)['stripe-signature']
    const both = `${other},${header.split(',')[1]}`
    expect(verify(both)).toBe(true)
    expect(webhooks.constructEvent(body, both, secret, 300, undefined, NOW * 1_000).id).toBe(
      'evt_test_0001',
    )
  })
})

describe('with the package of Lithic', () => {
  const lithic = new Lithic({ apiKey: 'unused' })
  const body = sampleBytes('lithic/01_asa_authorization').toString()
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`

  test('it takes what we sign, and nothing signed with another secret', () => {
    const now = Math.floor(Date.now() / 1_000)
    const headers = signAsLithic(body, secret, now)
    const other = `whsec_${Buffer.from('another secret of 24 byt').toString('base64')}`
    expect(lithic.webhooks.parse(body, { headers, secret }).event_type).toBe(
      'card_authorization.approval_request',
    )
    expect(() => lithic.webhooks.parse(body, { headers, secret: other })).toThrow()
    expect(verifyStandardWebhook(signed(body, headers), other, now)).toBe(false)
  })

  test('we take what its own dependency signs, up to 300 seconds either way', () => {
    // It verifies with this package, and has nothing that signs.
    const theirs = new Webhook(secret).sign('msg_1', new Date(NOW * 1_000), body)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${theirs}`,
    }
    const verified = [-301, -300, 0, 300, 301].map((off) =>
      verifyStandardWebhook(signed(body, headers), secret, NOW + off),
    )
    expect(verified).toEqual([false, true, true, true, false])
  })
})
