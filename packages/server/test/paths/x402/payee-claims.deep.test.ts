import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Behaviour, type Receiver, startReceiver } from '../../support/receiver.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aWallet, pay, refusalOf, WITHOUT_NODE } from './payments.ts'
import {
  NETWORK,
  PAYEE,
  someDocument,
  someOffer,
  someV1Document,
  someV1Offer,
} from './some-offer.ts'

const OTHER = `0x${'cd'.repeat(20)}`

let app: TestApp
let count = 0

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_NODE)
})
afterAll(() => app.stop())

/** An organization with a wallet, and perhaps with something in its directory. */
async function anOwner(...vendors: readonly object[]): Promise<Owner> {
  count += 1
  const owner = await app.organization(`Payees ${count}`)
  await aWallet(owner)
  for (const vendor of vendors) bodyOf(await owner.post('/vendors', vendor))
  return owner
}

const pinned = (address: string, network = NETWORK) => ({
  host: 'api.vendor.example',
  x402Payees: [{ network, address }],
})

const rulesFor = (...allow: readonly string[]) => ({ rules: [{ type: 'vendors', allow }] })

/** What becomes of a payment, in both modes that a 402 is handed over in. */
async function judge(owner: Owner, terms: object = {}, fields: object = {}) {
  const { agentId } = await anActiveMandate(owner, { ...terms })
  const quoted = await pay(owner, agentId, { mode: 'quote', ...fields })
  const signed = await pay(owner, agentId, { ...fields })
  const { code, message } = signed.evaluationDetails
  expect(quoted.evaluationDetails).toMatchObject({ code, message })
  expect(signed.status).toBe(code === 'approved' ? 'signed' : 'rejected')
  return {
    code,
    message,
    assurance: quoted.payee?.assurance,
    failed: signed.evaluationDetails.failed,
  }
}

describe('a vendor with payees in the directory', () => {
  test('is paid there, which is proof enough for a mandate that restricts vendors', async () => {
    const owner = await anOwner(pinned(PAYEE))
    for (const terms of [{}, rulesFor('api.vendor.example')]) {
      expect(await judge(owner, terms)).toMatchObject({
        code: 'approved',
        assurance: 'payto_pinned',
      })
    }
  })

  test.each([
    ['at another address', pinned(OTHER)],
    ['at this address on another network', pinned(PAYEE, 'eip155:8453')],
  ])('%s is not paid here', async (_, vendor) => {
    const owner = await anOwner(vendor)
    for (const terms of [{}, rulesFor('api.vendor.example')]) {
      const { code, message, failed } = await judge(owner, terms)
      expect([code, failed]).toEqual(['payee_mismatch', []])
      expect(message).toContain(PAYEE.toLowerCase())
    }
  })

  test('is paid at any of them, whatever its own 402 says of its place', async () => {
    const payees = [OTHER, PAYEE].map((address) => ({ network: NETWORK, address }))
    const owner = await anOwner({ host: 'api.vendor.example', x402Payees: payees })
    const resource = { url: 'http://internal-7.local/v1/data' }
    const fields = { paymentRequired: someDocument({ resource }) }
    expect(await judge(owner, {}, fields)).toMatchObject({ code: 'approved' })
  })

  test('lends them to no other host', async () => {
    const owner = await anOwner(pinned(PAYEE))
    const url = 'https://other.example/v1/data'
    const fields = { url, paymentRequired: someDocument({ resource: undefined }) }
    const { code, failed } = await judge(owner, rulesFor('other.example'), fields)
    expect([code, failed]).toEqual(['payee_mismatch', ['vendors']])
  })
})

describe('a payee that only the agent names', () => {
  test('is paid where the mandate does not restrict vendors', async () => {
    const judged = await judge(await anOwner())
    expect(judged).toMatchObject({ code: 'approved', assurance: 'agent_claimed' })
  })

  test('is not paid where the mandate restricts vendors', async () => {
    const owner = await anOwner({ host: 'api.vendor.example', category: 'data' })
    const { code, failed, message } = await judge(owner, rulesFor('api.vendor.example'))
    expect([code, failed]).toEqual(['payee_mismatch', ['vendors']])
    expect(message).toContain('vendor directory')
  })

  test.each<[string, object]>([
    ['limit', { type: 'limit', maxAmount: 90, window: 'day', groupBy: 'vendor' }],
    ['duplicate', { type: 'duplicate', window: '10m' }],
    ['expression', { type: 'expression', expr: "vendor == 'api.vendor.example'" }],
  ])('is not paid where the mandate has a rule %s that reads the vendor', async (id, rule) => {
    const { code, failed } = await judge(await anOwner(), { rules: [rule] })
    expect([code, failed]).toEqual(['payee_mismatch', [id]])
  })

  test.each<[string, object]>([
    ['another host', someDocument({ resource: { url: 'https://evil.example/v1/data' } })],
    ['a host below', someDocument({ resource: { url: 'https://x.api.vendor.example/' } })],
    [
      'a lookalike',
      someDocument({ resource: { url: 'https://api.vendor.example.evil.example/' } }),
    ],
    [
      'a user name',
      someDocument({ resource: { url: 'https://api.vendor.example@evil.example/' } }),
    ],
    ['no URL', someDocument({ resource: { url: 'the data' } })],
    [
      'another host, in version 1',
      someV1Document({ accepts: [someV1Offer({ resource: 'https://evil.example/' })] }),
    ],
  ])('is not paid when the 402 is for %s', async (_, paymentRequired) => {
    const { code, failed, message } = await judge(await anOwner(), {}, { paymentRequired })
    expect([code, failed]).toEqual(['payee_mismatch', []])
    expect(message).toContain('api.vendor.example')
  })

  test.each<[string, object]>([
    ['nothing', someDocument({ resource: undefined })],
    [
      'the host in other letters',
      someDocument({ resource: { url: 'https://API.Vendor.example./' } }),
    ],
    [
      'the host without TLS',
      someDocument({ resource: { url: 'http://api.vendor.example:8080/x' } }),
    ],
    ['the same, in version 1', someV1Document()],
  ])('is paid when the 402 is for %s', async (_, paymentRequired) => {
    expect((await judge(await anOwner(), {}, { paymentRequired })).code).toBe('approved')
  })
})

describe('the category of the directory', () => {
  test('comes before what the agent says, and is judged', async () => {
    const owner = await anOwner({ host: 'api.vendor.example', category: 'gambling' })
    const { agentId } = await anActiveMandate(owner, {
      rules: [{ type: 'categories', allow: ['data'] }],
    })
    const paid = await pay(owner, agentId, { category: 'data' })
    expect([paid.category, paid.evaluationDetails.code]).toEqual([
      'gambling',
      'category_not_allowed',
    ])
  })

  test('is that of the agent where the directory has none', async () => {
    const owner = await anOwner({ host: 'api.vendor.example' })
    const { agentId } = await anActiveMandate(owner)
    expect((await pay(owner, agentId, { category: 'Data' })).category).toBe('data')
    expect((await pay(owner, agentId)).category).toBeNull()
  })
})

describe('where the gateway may ask the vendor itself', () => {
  let vendor: Receiver
  let owner: Owner
  beforeAll(async () => {
    vendor = await startReceiver()
    owner = await anOwner()
    bodyOf(await owner.patch('/organization', { x402Fetch: true }))
  })
  afterEach(() => vendor.behave((response) => response.end()))
  afterAll(() => vendor.close())

  const LOOPBACK = rulesFor('127.0.0.1')
  const toHeader = (document: object) => Buffer.from(JSON.stringify(document)).toString('base64')
  const asking =
    (document: object): Behaviour =>
    (response) =>
      response.writeHead(402, { 'payment-required': toHeader(document) }).end('{}')
  const handOver = (fields: object = {}) => ({
    url: vendor.url,
    paymentRequired: someDocument({ resource: undefined }),
    ...fields,
  })

  test('an offer that it makes is paid', async () => {
    vendor.behave(asking(someDocument({ accepts: [someOffer({ amount: '1' }), someOffer()] })))
    const fields = handOver({ paymentRequired: someDocument() })
    const judged = await judge(owner, LOOPBACK, fields)
    expect(judged).toMatchObject({ code: 'approved', assurance: 'gateway_observed' })
  })

  test.each<[string, Behaviour]>([
    ['another payee', asking(someDocument({ accepts: [someOffer({ payTo: OTHER })] }))],
    ['another price', asking(someDocument({ accepts: [someOffer({ amount: '9999' })] }))],
    ['another network', asking(someDocument({ accepts: [someOffer({ network: 'eip155:8453' })] }))],
  ])(
    "one that it answers with %s is another vendor's, and nobody is told to pin it",
    async (_, behaviour) => {
      vendor.behave(behaviour)
      const answer = await judge(owner, LOOPBACK, handOver())
      expect([answer.code, answer.failed]).toEqual(['payee_mismatch', []])
    },
  )

  test.each<[string, Behaviour]>([
    ['something unreadable', asking([])],
    ['a page', (response) => response.writeHead(402).end('<html></html>')],
    ['the goods', (response) => response.end('{}')],
    ['a redirect', (response) => response.writeHead(302, { location: '/else' }).end()],
    ['nothing', (response) => response.destroy()],
  ])('one that it answers with %s stays the word of the agent', async (_, behaviour) => {
    vendor.behave(behaviour)
    const { code, failed } = await judge(owner, LOOPBACK, handOver())
    expect([code, failed]).toEqual(['payee_mismatch', ['vendors']])
  })

  test('it is asked without a payment, by a method that changes nothing', async () => {
    const asked: unknown[] = []
    vendor.behave((response, received, index) => {
      const { headers, body } = received
      asked.push([response.req.method, body, headers['payment-signature'] ?? 'unpaid'])
      asking(someDocument())(response, received, index)
    })
    for (const method of ['DELETE', 'POST']) await judge(owner, LOOPBACK, handOver({ method }))
    expect(asked).toEqual(Array(4).fill(['GET', '', 'unpaid']))
  })

  test.each<[string, string, object]>([
    ['the mandate forbids it', 'vendor_blocked', { type: 'vendors', block: ['127.0.0.1'] }],
    ['it is too dear', 'amount_above_max', { type: 'amount', max: 0.001 }],
  ])('it is not called where %s anyway', async (_, expected, rule) => {
    vendor.behave(asking(someDocument()))
    const before = vendor.received.length
    const byVendor = { type: 'limit', maxAmount: 90, window: 'day', groupBy: 'vendor' }
    const { code, failed } = await judge(owner, { rules: [byVendor, rule] }, handOver())
    expect([code, failed]).toEqual([expected, [expect.any(String), 'limit']])
    expect(vendor.received).toHaveLength(before)
  })

  test('it is not called beyond what an agent may call at a time', async () => {
    const { agentId } = await anActiveMandate(owner, LOOPBACK)
    const waiting: (() => void)[] = []
    vendor.behave((response) => void waiting.push(() => response.end('free')))
    const calls = Array.from({ length: 16 }, () =>
      owner.post('/gateway/x402/pay', { agentId, url: vendor.url, timeoutMs: 60_000 }),
    )
    await waitUntil(() => waiting.length === 16)
    expect(await refusalOf(owner, agentId, handOver())).toEqual([503, 'overloaded'])
    expect(waiting).toHaveLength(16)
    for (const release of waiting) release()
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  })

  test('it is not bothered where nobody doubts the payee', async () => {
    const before = vendor.received.length
    expect((await judge(owner, {}, handOver())).code).toBe('approved')
    expect(vendor.received).toHaveLength(before)
  })
})
