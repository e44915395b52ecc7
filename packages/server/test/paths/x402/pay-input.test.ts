import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf, NO_AGENT } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { dumpTables } from '../../support/tables.ts'
import { aPayment, aWallet, refusalOf, WITHOUT_NODE } from './payments.ts'
import { someDocument, someOffer } from './some-offer.ts'

const NO_WALLET = 'wal_019a85617c5e7d409b5e6f1f0a3c2b11'
/** For a field that is to be left out. */
const NONE = { paymentRequired: undefined }

let app: TestApp
let acme: Owner
let agentId: string

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_NODE)
  acme = await app.organization()
  agentId = (await anActiveMandate(acme)).agentId
  await aWallet(acme)
})
afterAll(() => app.stop())

async function expectNothingChanged(run: () => Promise<void>): Promise<void> {
  const before = await dumpTables(app.database.db)
  await run()
  expect(await dumpTables(app.database.db)).toBe(before)
}

describe('a request to pay is refused, and nothing changes', () => {
  const fetching = { ...NONE, mode: 'fetch' }

  test.each<[string, object, string]>([
    ['without a URL', { url: undefined }, '/url'],
    ['with a bare host', { url: 'api.vendor.example' }, '/url'],
    ['with a URL of another scheme', { url: 'ftp://api.vendor.example/' }, '/url'],
    ['with a user name in the URL', { url: 'https://a@api.vendor.example/' }, '/url'],
    ['with another host before an @', { url: 'https://api.vendor.example@evil.example' }, '/url'],
    ['with a backslash in the URL', { url: 'https://api.vendor.example\\@evil.example' }, '/url'],
    ['with an odd spelling of an address', { url: 'https://127.1/' }, '/url'],
    [
      'with a URL beyond 2048 characters',
      { url: `https://a.example/${'x'.repeat(2_048)}` },
      '/url',
    ],
    ['in a mode that is none', { mode: 'settle' }, '/mode'],
    ['to sign without a 402', { ...NONE, mode: 'sign' }, '/paymentRequired'],
    ['to quote without a 402', { ...NONE, mode: 'quote' }, '/paymentRequired'],
    ['with a 402 that is a number', { paymentRequired: 402 }, '/paymentRequired'],
    ['with a 402 that is a list', { paymentRequired: [someDocument()] }, '/paymentRequired'],
    ['with a 402 that is empty', { paymentRequired: '' }, '/paymentRequired'],
    ['to sign with a request', { request: { headers: {} } }, '/request'],
    ['to quote with a timeout', { mode: 'quote', timeoutMs: 5_000 }, '/timeoutMs'],
    ['to fetch with a 402', { mode: 'fetch' }, '/paymentRequired'],
    ['to fetch a certain offer', { ...fetching, acceptIndex: 0 }, '/acceptIndex'],
    ['to fetch by GET with a body', { ...fetching, request: { body: 'x' } }, '/request/body'],
    [
      'to fetch by HEAD with a body',
      { ...fetching, method: 'HEAD', request: { body: 'x' } },
      '/request/body',
    ],
    [
      'with more than 1 MB for the vendor',
      { ...fetching, method: 'POST', request: { body: 'ä'.repeat(500_001) } },
      '/request/body',
    ],
    ...['%%%', 'AA', 'AB==', 'QUJD\n', '_-8='].map((body): [string, object, string] => [
      `with the body ${JSON.stringify(body)} in base64`,
      { ...fetching, method: 'POST', request: { body, bodyEncoding: 'base64' } },
      '/request/body',
    ]),
    ['by another method', { ...fetching, method: 'CONNECT' }, '/method'],
    ['with a timeout below a second', { ...fetching, timeoutMs: 999 }, '/timeoutMs'],
    ['with a timeout above a minute', { ...fetching, timeoutMs: 60_001 }, '/timeoutMs'],
    ['with a category that is none', { category: '???' }, '/category'],
    ['with a negative index', { acceptIndex: -1 }, '/acceptIndex'],
    ['with half an index', { acceptIndex: 0.5 }, '/acceptIndex'],
    ['with a maximum of nothing', { maxAmount: 0 }, '/maxAmount'],
    ['with a maximum of seven decimals', { maxAmount: 0.0000001 }, '/maxAmount'],
    ['with a wallet by its address', { walletId: `0x${'a'.repeat(40)}` }, '/walletId'],
    [
      'with metadata under a long name',
      { metadata: { ['k'.repeat(65)]: {} } },
      `/metadata/${'k'.repeat(65)}`,
    ],
    [
      'with a header whose name has a line break',
      { ...fetching, request: { headers: { 'a\nb': {} } } },
      '/request/headers/a\nb',
    ],
    [
      'with a header of a long name',
      { ...fetching, request: { headers: { ['k'.repeat(129)]: 'x' } } },
      `/request/headers/${'k'.repeat(129)}`,
    ],
    ['with an amount of its own', { amount: 1 }, '/amount'],
  ])('%s', async (_, fields, path) => {
    await expectNothingChanged(async () => {
      const { status, body } = await acme.post(
        '/gateway/x402/pay',
        aPayment(agentId, { ...fields }),
      )
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors.map((error) => error.path)).toContain(path)
    })
  })

  test.each<[string, object | string, string]>([
    ['cannot be read', '%%%', 'x402_malformed'],
    ['offers nothing', someDocument({ accepts: [] }), 'x402_malformed'],
    ['is beyond 64 KiB', someDocument({ error: 'x'.repeat(65_536) }), 'x402_malformed'],
    ['is of another version', someDocument({ x402Version: 3 }), 'x402_version_unsupported'],
  ])('when the 402 %s', async (_, paymentRequired, code) => {
    await expectNothingChanged(async () => {
      for (const mode of ['sign', 'quote']) {
        expect(await refusalOf(acme, agentId, { mode, paymentRequired })).toEqual([400, code])
      }
    })
  })

  test('when none of the offers can be paid, with the reason of each', async () => {
    const accepts = [someOffer({ scheme: 'upto' }), someOffer({ amount: '0x10' }), 'free']
    const fields = { paymentRequired: someDocument({ accepts }) }
    await expectNothingChanged(async () => {
      const { status, body } = await acme.post('/gateway/x402/pay', aPayment(agentId, fields))
      expect([status, body.code]).toEqual([422, 'x402_no_acceptable_offer'])
      expect(body.errors.map(({ path, code }) => [path, code])).toEqual([
        ['/accepts/0', 'scheme_unsupported'],
        ['/accepts/1', 'amount_invalid'],
        ['/accepts/2', 'malformed'],
      ])
      expect(body.detail).toContain('a scheme other than exact')
    })
  })

  test('when thousands of offers cannot be paid, without a word to each', async () => {
    const accepts = Array.from({ length: 20_000 }, () => 0)
    const fields = { paymentRequired: someDocument({ accepts }) }
    const { status, body, text } = await acme.post('/gateway/x402/pay', aPayment(agentId, fields))
    expect([status, body.code]).toEqual([422, 'x402_no_acceptable_offer'])
    expect(text.length).toBeLessThan(10_000)
  })

  test('when the wallet is not there, or another organization has it', async () => {
    const globex = await app.organization('Globex')
    const theirs = await aWallet(globex)
    for (const walletId of [NO_WALLET, theirs.id]) {
      expect(await refusalOf(acme, agentId, { walletId })).toEqual([404, 'wallet_not_found'])
    }
  })

  test('when the organization has no wallet', async () => {
    const owner = await app.organization('Penniless')
    const { agentId: theirs } = await anActiveMandate(owner)
    for (const mode of ['sign', 'quote']) {
      expect(await refusalOf(owner, theirs, { mode })).toEqual([422, 'wallet_not_configured'])
    }
  })

  test('when the agent is unknown, of another organization, or not that of the key', async () => {
    const globex = await app.organization('Globex')
    const { agentId: theirs } = await anActiveMandate(globex)
    const { agentId: another } = await anActiveMandate(acme)
    const { client: bound } = await aKey(app, acme, { agentIds: [another] })
    await expectNothingChanged(async () => {
      for (const mode of ['sign', 'quote']) {
        expect(await refusalOf(acme, NO_AGENT, { mode })).toEqual([404, 'agent_not_found'])
        expect(await refusalOf(acme, theirs, { mode })).toEqual([404, 'agent_not_found'])
        expect(await refusalOf(bound, agentId, { mode })).toEqual([404, 'agent_not_found'])
      }
    })
  })

  test('with a key that may only look, and without a key', async () => {
    const { client: reader } = await aKey(app, acme, { scopes: ['gateway:read', 'wallets:write'] })
    expect(await refusalOf(reader, agentId)).toEqual([403, 'insufficient_scope'])
    expect(await refusalOf(app.client(''), agentId)).toEqual([401, 'unauthenticated'])
  })
})

describe('where the gateway may not call vendors', () => {
  let vendor: Receiver
  beforeAll(async () => {
    vendor = await startReceiver()
  })
  afterAll(() => vendor.close())

  test('a request without a 402 is refused, and nobody is called', async () => {
    await expectNothingChanged(async () => {
      const fields = { ...NONE, url: vendor.url }
      expect(await refusalOf(acme, agentId, fields)).toEqual([409, 'x402_fetch_off'])
      expect(await refusalOf(acme, NO_AGENT, fields)).toEqual([409, 'x402_fetch_off'])
    })
    expect(vendor.received).toEqual([])
  })
})

describe('where no network is enabled', () => {
  let plain: TestApp
  beforeAll(async () => {
    plain = await createTestApp()
  })
  afterAll(() => plain.stop())

  test('no offer can be paid, and the setting is named', async () => {
    const owner = await plain.organization()
    const { agentId: spender } = await anActiveMandate(owner)
    const { id } = await aWallet(owner)
    for (const mode of ['sign', 'quote']) {
      const { status, body } = await owner.post('/gateway/x402/pay', aPayment(spender, { mode }))
      expect([status, body.code]).toEqual([422, 'x402_no_acceptable_offer'])
      expect(body.errors).toMatchObject([{ path: '/accepts/0', code: 'network_not_enabled' }])
      expect(body.detail).toContain('PURSER_X402_NETWORKS')
    }
    const { data } = bodyOf(await owner.get('/wallets'))
    expect(data).toMatchObject([{ id, networks: [], balances: [] }])
  })
})
