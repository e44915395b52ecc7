import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inventReceipt } from '../../support/x402/payment-required.ts'
import { startVendorStandIn, type VendorStandIn } from './vendor-stand-in.ts'

let vendor: VendorStandIn

beforeAll(async () => {
  vendor = await startVendorStandIn()
})
afterAll(() => vendor.stop())

describe('a receipt', () => {
  const HASH = `0x${'cd'.repeat(32)}`
  const inBase64 = (text: string) => Buffer.from(text).toString('base64')
  const receiptIn = async (headers: Record<string, string>) =>
    (await vendor.deliveryOf((response) => response.writeHead(200, headers).end())).receipt

  test.each(['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'])('is read from %s', async (name) => {
    expect(await receiptIn({ [name]: inventReceipt() })).toBe(HASH)
  })

  test('of version 2 comes before one of version 1', async () => {
    const older = inventReceipt({ transaction: `0x${'ee'.repeat(32)}` })
    const headers = { 'X-PAYMENT-RESPONSE': older, 'PAYMENT-RESPONSE': inventReceipt() }
    expect(await receiptIn(headers)).toBe(HASH)
  })

  test('is kept in lower case, also when it speaks of a failure: the hash may still be mined', async () => {
    const changes = { success: false, transaction: `0x${'CD'.repeat(32)}` }
    expect(await receiptIn({ 'PAYMENT-RESPONSE': inventReceipt(changes) })).toBe(HASH)
  })

  test.each([
    ['no hash', inventReceipt({ transaction: '' })],
    ['a hash that is too short', inventReceipt({ transaction: '0x1234' })],
    ['a hash of another chain', inventReceipt({ transaction: 'a'.repeat(64) })],
    ['a hash with something behind it', inventReceipt({ transaction: `${HASH}\n` })],
    ['a hash in a list', inventReceipt({ transaction: [HASH] })],
    ['a script', inventReceipt({ transaction: '<script>alert(1)</script>' })],
    ['more than 16 KiB', inventReceipt({ transaction: HASH, padding: 'x'.repeat(13_000) })],
    ['no object', inBase64('null')],
    ['a list', inBase64(JSON.stringify([HASH]))],
    ['no JSON', inBase64('paid')],
    ['no base64', '%%% paid %%%'],
    ['nothing', ''],
    ['a bare hash', HASH],
  ])('with %s is none, and the delivery is not harmed', async (_, value) => {
    expect(await receiptIn({ 'PAYMENT-RESPONSE': value })).toBeNull()
  })
})
