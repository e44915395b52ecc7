import { decodePaymentSignatureHeader } from '@x402/core/http'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { X402Payment } from '../../../src/paths/x402/payment.ts'
import {
  createAuthorization,
  toSignedPayment,
  toTypedData,
} from '../../../src/paths/x402/wallet/authorization.ts'
import { createBuyer } from '../../support/x402/buyer.ts'
import { payerOf } from './payer-of.ts'
import { PAYEE, PAYER, someDocument, someOffer, someV1Document, someV1Offer } from './some-offer.ts'
import { NOON, payableOffer, somePayment } from './some-payment.ts'

const account = privateKeyToAccount(generatePrivateKey())
const payer = account.address.toLowerCase()
const RESOURCE = { url: 'https://api.vendor.example/v1/data', description: 'Größe ✓ 😀' }

const sign = async (payment: X402Payment) =>
  toSignedPayment(payment, await account.signTypedData(toTypedData(payment)))

describe('an authorization', () => {
  const authorize = (changes = {}) =>
    createAuthorization(payableOffer(2, someOffer(changes), PAYER), PAYER, NOON)
  const seconds = Math.floor(NOON / 1_000)

  test('is over what the offer asks for, and nothing else', () => {
    expect(authorize()).toMatchObject({ from: PAYER, to: PAYEE.toLowerCase(), value: 10_000n })
  })

  test.each([
    [10, 10],
    [119, 119],
    [120, 120],
    [121, 120],
    [3_600, 120],
    [86_400, 120],
  ])('to a vendor that would wait %d s ends after %d s', (maxTimeoutSeconds, validFor) => {
    expect(authorize({ maxTimeoutSeconds }).validBefore).toBe(seconds + validFor)
  })

  test('holds also where the clock of the chain is some minutes late', () => {
    expect(authorize().validAfter).toBe(seconds - 600)
  })

  test('has a nonce of 32 bytes that no other has', () => {
    const nonces = Array.from({ length: 500 }, () => authorize().nonce)
    expect(new Set(nonces).size).toBe(500)
    expect(nonces.filter((nonce) => !/^0x[0-9a-f]{64}$/.test(nonce))).toEqual([])
  })
})

describe('what is signed', () => {
  test.each([1, 2] as const)('for version %d is a transfer by the payer', async (version) => {
    const offer = version === 1 ? someV1Offer() : someOffer()
    const { headerValue } = await sign(somePayment(version, offer, payer))
    expect(await payerOf(headerValue)).toBe(payer)
  })

  test('is under the domain of the token as we know it', () => {
    const base = { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
    const silent = somePayment(2, someOffer({ ...base, extra: undefined }), payer)
    expect(toTypedData(silent).domain).toEqual({
      name: 'USD Coin',
      version: '2',
      chainId: 8_453,
      verifyingContract: base.asset,
    })
  })

  test('is nothing at all in a token that is not listed', () => {
    const payment = { ...somePayment(2, someOffer(), payer), asset: PAYEE.toLowerCase() }
    expect(() => toTypedData(payment)).toThrow('not listed')
  })

  test('is signed again to the same header', async () => {
    const payment = somePayment(2, someOffer(), payer, RESOURCE)
    const [first, second] = [await sign(payment), await sign(payment)]
    expect(second).toEqual(first)
  })
})

describe('the header of a payment', () => {
  const odd = someOffer({
    zeta: 1,
    extra: { version: '2', name: 'USDC', note: 'Größe ✓ 😀', list: [null, 1.5, { b: 1, a: 2 }] },
    alpha: 2,
  })

  test('of version 2 is read by the stock decoder, with the offer as it came', async () => {
    const payment = somePayment(2, odd, payer, RESOURCE)
    const { headerName, headerValue, payload } = await sign(payment)
    const decoded = decodePaymentSignatureHeader(headerValue)
    expect(headerName).toBe('PAYMENT-SIGNATURE')
    expect(decoded).toEqual(payload)
    expect(JSON.stringify(decoded.accepted)).toBe(JSON.stringify(odd))
    expect(decoded.resource).toEqual(RESOURCE)
    const { value, validAfter, validBefore, nonce } = payment.authorization
    expect(decoded.payload['authorization']).toEqual({
      from: account.address,
      to: expect.stringMatching(new RegExp(`^${PAYEE}$`, 'i')),
      value: String(value),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      nonce,
    })
  })

  test('of version 2 says nothing of a resource that the vendor did not name', async () => {
    const { payload } = await sign(somePayment(2, odd, payer))
    expect(Object.keys(payload)).toEqual(['x402Version', 'accepted', 'payload'])
  })

  test('of version 1 has the form of that version', async () => {
    const { headerName, headerValue, payload } = await sign(somePayment(1, someV1Offer(), payer))
    const decoded: unknown = JSON.parse(Buffer.from(headerValue, 'base64').toString('utf8'))
    expect(headerName).toBe('X-PAYMENT')
    expect(decoded).toEqual(payload)
    expect(payload).toEqual({
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
      payload: {
        signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        authorization: expect.objectContaining({ from: account.address, value: '10000' }),
      },
    })
  })

  test.each([
    ['v1', someV1Document(), somePayment(1, someV1Offer(), payer)],
    [
      'v2',
      someDocument(),
      somePayment(2, someOffer(), payer, someDocument()['resource'] as object),
    ],
  ])('of %s has the members that the stock client sends', async (_, document, payment) => {
    const ours = (await sign(payment)).headerValue
    const theirs = await createBuyer(account).sign(document)
    expect(shapeOf(ours)).toEqual(shapeOf(theirs))
  })
})

/** The payload with what differs between any two payments left out. */
function shapeOf(headerValue: string): unknown {
  const varying = ['signature', 'nonce', 'validAfter', 'validBefore']
  return JSON.parse(Buffer.from(headerValue, 'base64').toString('utf8'), (key, value: unknown) =>
    varying.includes(key) ? typeof value : value,
  )
}
