import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type SignedBytes,
  verifyStandardWebhook,
  verifyStripe,
} from '../../../src/paths/card/issuers/signatures.ts'

const SAMPLES = join(import.meta.dirname, '../../support/card-samples')
const vectors = JSON.parse(readFileSync(join(SAMPLES, 'signatures.json'), 'utf8'))

function signed(file: string, headers: Readonly<Record<string, string>>): SignedBytes {
  return { body: readFileSync(join(SAMPLES, file)), header: (name) => headers[name] }
}

describe('a signature of Stripe', () => {
  const {
    secret,
    timestamp,
    payload_file: file,
    header,
    rotated_header_two_v1: rotated,
  } = vectors.stripe
  const verify = (text: string, now = timestamp, withSecret = secret) =>
    verifyStripe(signed(file, { 'stripe-signature': text }), withSecret, now)

  test('is taken, also beside another one', () => {
    expect([verify(header), verify(rotated)]).toEqual([true, true])
  })

  test('is taken up to 300 seconds either way', () => {
    expect([-301, -300, 300, 301].map((off) => verify(header, timestamp + off))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test.each([
    ['with another secret', header, 'whsec_other'],
    ['of another version', header.replace('v1=', 'v0='), secret],
    ['with another time', header.replace(String(timestamp), String(timestamp + 1)), secret],
    ['that is shorter', header.slice(0, -2), secret],
    ['that is empty', '', secret],
    ['without a time', header.replace(/^t=\d+,/, ''), secret],
  ])('is refused %s', (_what, text, withSecret) => {
    expect(verify(text, timestamp, withSecret)).toBe(false)
  })

  test('is refused where a byte of the body differs', () => {
    const given = signed(file, { 'stripe-signature': header })
    const body = Buffer.from(given.body)
    body[10] = (body[10] ?? 0) ^ 1
    expect(verifyStripe({ ...given, body }, secret, timestamp)).toBe(false)
  })
})

describe('a signature of Standard Webhooks', () => {
  const {
    secret,
    webhook_id: id,
    webhook_timestamp: time,
    webhook_signature: signature,
  } = vectors.lithic
  const file = vectors.lithic.payload_file
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': signature,
  }
  const verify = (changed: Readonly<Record<string, string>>, now = time) =>
    verifyStandardWebhook(signed(file, { ...headers, ...changed }), secret, now)

  test('is taken, also beside another one', () => {
    const other = `v1,${createHmac('sha256', 'other').update('x').digest('base64')}`
    expect(verify({})).toBe(true)
    expect(verify({ 'webhook-signature': `${other} ${signature}` })).toBe(true)
  })

  test('is taken up to 300 seconds either way', () => {
    expect([-301, -300, 300, 301].map((off) => verify({}, time + off))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test.each([
    ['for another id', { 'webhook-id': 'msg_other' }],
    ['without an id', { 'webhook-id': '' }],
    ['for another time', { 'webhook-timestamp': String(time + 1) }],
    ['of another version', { 'webhook-signature': signature.replace('v1,', 'v1a,') }],
  ])('is refused %s', (_what, changed) => {
    expect(verify(changed)).toBe(false)
  })
})
