import { decodePaymentSignatureHeader } from '@x402/core/http'
import { extractAndValidatePaymentIdentifier } from '@x402/extensions/payment-identifier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { toHeader } from '../../support/x402/wire.ts'
import { aWallet, pay, WITHOUT_NODE } from './payments.ts'
import { someDocument, someV1Document } from './some-offer.ts'

/** As the protocol's own library has a vendor say it. */
const IDENTIFIER = {
  info: { required: true },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
}
const BAZAAR = { info: { input: { type: 'http', method: 'GET' } }, schema: { type: 'object' } }

describe('the extensions of an offer', () => {
  let app: TestApp
  let acme: Owner
  let agentId: string
  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    await acme.patch('/organization', { x402Fetch: true })
    await aWallet(acme)
    ;({ agentId } = await anActiveMandate(acme))
  })
  afterAll(() => app.stop())

  /** What is sent back of these, and which transaction it pays. */
  async function echoOf(extensions: unknown, headers: Record<string, string> = {}) {
    const paymentRequired = someDocument({ extensions })
    const { payment, transactionId } = await pay(acme, agentId, { paymentRequired }, headers)
    const decoded = decodePaymentSignatureHeader(payment?.headerValue ?? '')
    expect(decoded).toEqual(payment?.payload)
    return { decoded, echo: decoded.extensions, transactionId, payment }
  }

  test('go back as they came', async () => {
    expect((await echoOf({ bazaar: BAZAAR, other: { info: {} } })).echo).toEqual({
      bazaar: BAZAAR,
      other: { info: {} },
    })
  })

  test('get the id of the transaction where the vendor takes one', async () => {
    const { decoded, echo, transactionId } = await echoOf({
      bazaar: BAZAAR,
      'payment-identifier': IDENTIFIER,
    })
    expect(extractAndValidatePaymentIdentifier(decoded)).toMatchObject({
      id: transactionId,
      validation: { valid: true },
    })
    expect(echo).toEqual({
      bazaar: BAZAAR,
      'payment-identifier': { ...IDENTIFIER, info: { required: true, id: transactionId } },
    })
  })

  test('go back the same in a repeat', async () => {
    const key = { 'idempotency-key': 'extended' }
    const extensions = { 'payment-identifier': IDENTIFIER }
    const [first, again] = [await echoOf(extensions, key), await echoOf(extensions, key)]
    expect(again.payment).toEqual(first.payment)
  })

  test('get no other id than ours', async () => {
    const named = { info: { required: false, id: 'an-id-of-the-vendor' } }
    const { echo, transactionId } = await echoOf({ 'payment-identifier': named })
    expect(echo).toEqual({ 'payment-identifier': { info: { required: false, id: transactionId } } })
  })

  test.each([
    ['none', undefined],
    ['an empty set', {}],
    ['a list', [IDENTIFIER]],
    ['a text', 'payment-identifier'],
  ])('are left out where the vendor has %s', async (_, extensions) => {
    expect((await echoOf(extensions)).decoded).not.toHaveProperty('extensions')
  })

  test('that are malformed go back without an id', async () => {
    const extensions = { 'payment-identifier': { info: 'yes' } }
    expect((await echoOf(extensions)).echo).toEqual(extensions)
  })

  test('that no header could hold are left out, but for the id', async () => {
    const large = { info: { text: 'x'.repeat(9_000) } }
    const { echo, transactionId } = await echoOf({ large, 'payment-identifier': IDENTIFIER })
    expect(echo).toEqual({
      'payment-identifier': { ...IDENTIFIER, info: { required: true, id: transactionId } },
    })
    expect((await echoOf({ large })).decoded).not.toHaveProperty('extensions')
  })

  test('do not exist in the first version', async () => {
    const paymentRequired = { ...someV1Document(), extensions: { bazaar: BAZAAR } }
    const { payment } = await pay(acme, agentId, { paymentRequired })
    expect(payment?.payload).not.toHaveProperty('extensions')
  })

  test('go back to the vendor in fetch as well', async () => {
    const extensions = { 'payment-identifier': IDENTIFIER }
    const sent: string[] = []
    const vendor: Receiver = await startReceiver((response, { headers }) => {
      const payment = headers['payment-signature']
      if (typeof payment === 'string') {
        sent.push(payment)
        response.end('paid')
        return
      }
      const offer = { 'payment-required': toHeader(someDocument({ extensions })) }
      response.writeHead(402, offer).end('{}')
    })
    const { body } = await acme.post('/gateway/x402/pay', { agentId, url: vendor.url })
    await vendor.close()
    expect(body.status).toBe('delivered_unsettled')
    const [header = ''] = sent
    expect(extractAndValidatePaymentIdentifier(decodePaymentSignatureHeader(header)).id).toBe(
      body.transactionId,
    )
  })
})
