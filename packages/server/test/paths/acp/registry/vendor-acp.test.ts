import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ACP_VERSIONS } from '../../../../src/paths/acp/registry/acp-entry.ts'
import {
  findMerchant,
  findMerchantById,
  findMerchantPaidAs,
} from '../../../../src/paths/acp/storage/merchants.ts'
import { CHECKOUT_VERSIONS } from '../../../../src/paths/acp/versions/index.ts'
import { findIngestToken, readToken } from '../../../../src/storage/ingest-tokens.ts'
import { createSealer } from '../../../../src/storage/secrets/sealed.ts'
import { createTestApp, type Owner, type TestApp } from '../../../support/app.ts'
import { aKey, bodyOf, DAY_MS } from '../../../support/builders.ts'
import { withCheckDigit } from '../../../support/card-numbers.ts'
import { dumpTables } from '../../../support/tables.ts'

const HOST = '1.1.1.1'
const ACP = {
  apiBaseUrl: 'https://1.1.1.1/acp/',
  version: '2026-04-17',
  credential: 'shop-credential-1111',
  webhookSecret: 'whsec_of_the_shop_2222',
  merchantIds: ['acct_1', '4242424242424242'],
  profileId: 'profile_1',
} as const
const SHOWN = {
  apiBaseUrl: 'https://1.1.1.1/acp',
  version: '2026-04-17',
  merchantIds: ACP.merchantIds,
  profileId: 'profile_1',
  handler: null,
  credentialHint: '1111',
  webhookSecretHint: '2222',
}
const GATEWAY = 'https://gateway.example'
const HIDDEN = `${GATEWAY}/ingest/acp/…/orders`

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp(undefined, { publicUrl: GATEWAY })
})
afterAll(() => app.stop())
beforeEach(async () => {
  acme = await app.organization()
})

const parts = () => ({ db: app.database.db, sealer: createSealer(Buffer.alloc(32, 7)) })
const find = (host = HOST, owner = acme) => findMerchant(parts(), owner.organizationId, host)
const enter = async (changes: object = {}, host = HOST) =>
  bodyOf(await acme.post('/vendors', { host, acp: { ...ACP, ...changes } }))
const change = async (id: string, acp: object | null) =>
  bodyOf(await acme.patch(`/vendors/${id}`, { acp }))
const tokenOf = ({ acp }: { readonly acp: { readonly orderUrl?: string } | null }): string =>
  /^https:\/\/gateway\.example\/ingest\/acp\/([A-Za-z0-9_-]{43})\/orders$/.exec(
    acp?.orderUrl ?? '',
  )?.[1] ?? ''
const leadsTo = async (token: string) => {
  const hash = readToken(token)
  return hash && (await findIngestToken(app.database.db, hash))
}
const refusalOf = async (answer: ReturnType<Owner['post']>) => {
  const { status, body } = await answer
  return [status, ...body.errors.map(({ path, code }) => `${path} ${code}`)]
}

test('the versions of the directory are those that are spoken', () => {
  expect(ACP_VERSIONS).toEqual(CHECKOUT_VERSIONS.map(({ name }) => name))
})

describe('a vendor that speaks ACP', () => {
  test('is shown with how its secrets end, and never with more of them', async () => {
    const { text, body } = await acme.post('/vendors', { host: HOST, acp: ACP })
    expect(body.acp).toEqual({ ...SHOWN, orderUrl: expect.any(String) })
    const list = await acme.get('/vendors')
    expect(bodyOf(list).data).toMatchObject([{ acp: { ...SHOWN, orderUrl: HIDDEN } }])
    const stored = await dumpTables(app.database.db)
    for (const secret of [ACP.credential, ACP.webhookSecret]) {
      const bare = secret.slice(0, -4)
      expect(text + list.text).not.toContain(bare)
      expect(stored).not.toContain(bare)
      expect(stored).not.toContain(Buffer.from(bare).toString('hex'))
    }
  })

  test('is found by its host with everything that a call needs', async () => {
    const { id } = await enter()
    const merchant = await find()
    expect(merchant).toEqual({
      vendorId: expect.any(String),
      host: HOST,
      category: null,
      apiBaseUrl: SHOWN.apiBaseUrl,
      version: ACP.version,
      credential: ACP.credential,
      webhookSecret: ACP.webhookSecret,
      merchantIds: ACP.merchantIds,
      profileId: 'profile_1',
      handler: null,
    })
    expect(`ven_${merchant?.vendorId.replaceAll('-', '')}`).toBe(id)
    const { vendorId = '' } = merchant ?? {}
    expect(await findMerchantById(parts(), acme.organizationId, vendorId)).toEqual(merchant)
    const globex = await app.organization('Globex')
    expect(await find(HOST, globex)).toBeUndefined()
    expect(await findMerchantById(parts(), globex.organizationId, vendorId)).toBeUndefined()
  })

  test('is found by whom it lets be paid, unless another vendor lets the same be paid', async () => {
    await enter({ merchantIds: ['acct_1', 'acct_2'] })
    const paidAs = (merchantId: string) =>
      findMerchantPaidAs(parts(), acme.organizationId, merchantId)
    expect(await paidAs('acct_2')).toMatchObject({ host: HOST, credential: ACP.credential })
    expect(await paidAs('acct_3')).toBeUndefined()
    expect(await paidAs('["acct_1"]')).toBeUndefined()
    await enter({ apiBaseUrl: 'https://1.0.0.1', merchantIds: ['acct_2'] }, '1.0.0.1')
    expect(await paidAs('acct_2')).toBeUndefined()
    expect(await paidAs('acct_1')).toMatchObject({ host: HOST })
  })

  test('keeps what a change leaves out, also its secrets', async () => {
    const { id } = await enter()
    const { acp } = await change(id, { version: '2026-01-30', merchantIds: ['acct_9'] })
    const changed = { version: '2026-01-30', merchantIds: ['acct_9'] }
    expect(acp).toEqual({ ...SHOWN, ...changed, orderUrl: HIDDEN })
    bodyOf(await acme.patch(`/vendors/${id}`, { category: 'office' }))
    const { credential, webhookSecret } = ACP
    const kept = { ...changed, category: 'office', credential, webhookSecret }
    expect(await find()).toMatchObject(kept)
    await change(id, { webhookSecret: null, profileId: null, credential: 'another-credential' })
    expect(await find()).toMatchObject({
      credential: 'another-credential',
      webhookSecret: null,
      profileId: null,
    })
    expect(await change(id, { profileId: 'profile_2' })).toMatchObject({
      acp: { credentialHint: 'tial', webhookSecretHint: null, profileId: 'profile_2' },
    })
  })

  test('can be one without a secret for orders', async () => {
    const { webhookSecret: _, profileId: _profile, ...acp } = ACP
    bodyOf(await acme.post('/vendors', { host: HOST, acp }))
    expect(await find()).toMatchObject({ webhookSecret: null, profileId: null })
  })

  test('speaks it no more after null, and needs everything again', async () => {
    const made = await enter()
    expect((await change(made.id, null)).acp).toBeNull()
    expect(await find()).toBeUndefined()
    expect(await leadsTo(tokenOf(made))).toBeUndefined()
    const patched = acme.patch(`/vendors/${made.id}`, { acp: { version: '2026-04-17' } })
    expect(await refusalOf(patched)).toEqual([
      400,
      '/acp/apiBaseUrl required',
      '/acp/merchantIds required',
      '/acp/credential required',
    ])
    const again = await change(made.id, ACP)
    expect(tokenOf(again)).not.toBe(tokenOf(made))
    expect(await leadsTo(tokenOf(again))).toMatchObject({ endsAt: null })
  })

  test('is entered without it, and gets it later', async () => {
    const { id, acp } = bodyOf(await acme.post('/vendors', { host: HOST, acp: null }))
    expect(acp).toBeNull()
    expect(await find()).toBeUndefined()
    expect(tokenOf(await change(id, ACP))).not.toBe('')
    expect(await find()).toMatchObject({ credential: ACP.credential })
  })

  test('sends a stored credential to no other address', async () => {
    const { id } = await enter()
    const moved = { apiBaseUrl: 'https://1.1.1.1:8443/acp' }
    expect(await refusalOf(acme.patch(`/vendors/${id}`, { acp: moved }))).toEqual([
      400,
      '/acp/credential required',
    ])
    await change(id, { apiBaseUrl: 'https://1.1.1.1/v2' })
    await change(id, { ...moved, credential: 'another-credential' })
    expect(await find()).toMatchObject({ ...moved, credential: 'another-credential' })
  })

  test.each([
    ['another host', 'shop.example.com', 'https://evil.example.com'],
    ['a host that only ends alike', 'shop.example.com', 'https://badshop.example.com'],
    ['the host above', 'shop.example.com', 'https://example.com'],
    ['somebody else below a name for anybody', 'github.io', 'https://evil.github.io'],
    ['an address that it may have', 'shop.example.com', 'https://1.1.1.1'],
  ])('is called at no address of %s', async (_, host, apiBaseUrl) => {
    const answer = acme.post('/vendors', { host, acp: { ...ACP, apiBaseUrl } })
    expect(await refusalOf(answer)).toEqual([400, '/acp/apiBaseUrl not_of_vendor'])
  })

  test('is called at a host below its own', async () => {
    const acp = { ...ACP, apiBaseUrl: 'https://api.shop.example.com/acp' }
    const { id } = bodyOf(await acme.post('/vendors', { host: 'shop.example.com', acp }))
    expect(await find('shop.example.com')).toMatchObject({ apiBaseUrl: acp.apiBaseUrl })
    const other = { apiBaseUrl: 'https://evil.example.com', credential: ACP.credential }
    expect(await refusalOf(acme.patch(`/vendors/${id}`, { acp: other }))).toEqual([
      400,
      '/acp/apiBaseUrl not_of_vendor',
    ])
  })

  test.each([
    ['an address inside', { apiBaseUrl: 'https://10.0.0.1' }, '10.0.0.1', 'address_refused'],
    ['an address without TLS', { apiBaseUrl: 'http://1.1.1.1' }, HOST, 'url_refused'],
    ['an address with a query', { apiBaseUrl: 'https://1.1.1.1/?a=b' }, HOST, 'format'],
    [
      'the address of sessions',
      { apiBaseUrl: 'https://1.1.1.1/checkout_sessions/' },
      HOST,
      'format',
    ],
    [
      'that of a session',
      { apiBaseUrl: 'https://1.1.1.1/a/checkout_sessions/cs_1' },
      HOST,
      'format',
    ],
  ])('is refused with %s', async (_, changes, host, code) => {
    const answer = acme.post('/vendors', { host, acp: { ...ACP, ...changes } })
    expect(await refusalOf(answer)).toEqual([400, `/acp/apiBaseUrl ${code}`])
  })

  test.each([
    ['nobody who may be paid', { merchantIds: [] }],
    ['too many who may be paid', { merchantIds: Array.from({ length: 21 }, (_, i) => `a${i}`) }],
    ['a version that nobody speaks', { version: '2026-13-13' }],
    ['a credential that no header can hold', { credential: 'line\nbreak-1234' }],
    ['a secret that could be guessed', { webhookSecret: 'short' }],
    ['a hint of the caller', { credentialHint: '1111' }],
  ])('is refused with %s', async (_, changes) => {
    const { status } = await acme.post('/vendors', { host: HOST, acp: { ...ACP, ...changes } })
    expect(status).toBe(400)
  })

  test('is refused with the number of a card as a secret', async () => {
    const credential = withCheckDigit('424242424242424')
    const answer = await acme.post('/vendors', { host: HOST, acp: { ...ACP, credential } })
    expect([answer.status, answer.body.code]).toEqual([422, 'pan_not_allowed'])
  })

  test('can be changed by no key without the scope', async () => {
    const { id } = await enter()
    const { client } = await aKey(app, acme, { scopes: ['vendors:read', 'organization:write'] })
    expect((await client.patch(`/vendors/${id}`, { acp: null })).status).toBe(403)
  })
})

describe('the order URL of a vendor', () => {
  test('is shown once, and leads to the vendor', async () => {
    const made = await enter()
    const { vendorId } = (await find()) ?? {}
    const { organizationId } = acme
    const leads = { organizationId, connectionId: vendorId, endsAt: null }
    expect(await leadsTo(tokenOf(made))).toEqual(leads)
    expect((await change(made.id, { version: '2026-01-30' })).acp).toMatchObject({
      orderUrl: HIDDEN,
    })
    expect(await leadsTo(tokenOf(made))).toEqual(leads)
  })

  test('is the same for a repeat with the same Idempotency-Key', async () => {
    const body = { host: HOST, acp: ACP }
    const post = () => acme.post('/vendors', body, { 'idempotency-key': 'shop' })
    const [first, second] = [await post(), await post()]
    expect(second.text).toBe(first.text)
    expect(tokenOf(first.body)).not.toBe('')
  })

  test('is made anew when that is asked for, and the one before ends a day later', async () => {
    const first = await enter()
    const second = await change(first.id, { rotateOrderToken: true })
    expect(tokenOf(second)).not.toBe(tokenOf(first))
    expect(await leadsTo(tokenOf(second))).toMatchObject({ endsAt: null })
    const { endsAt } = (await leadsTo(tokenOf(first))) ?? {}
    const left = (endsAt ?? 0) - app.time.estimate()
    expect(left).toBeGreaterThan(DAY_MS / 2)
    expect(left).toBeLessThan(2 * DAY_MS)
    const third = await change(first.id, { rotateOrderToken: true })
    expect(await leadsTo(tokenOf(first))).toBeUndefined()
    expect(await leadsTo(tokenOf(second))).toMatchObject({ endsAt: expect.any(Number) })
    expect(await leadsTo(tokenOf(third))).toMatchObject({ endsAt: null })
  })

  test('cannot be rotated where there is none', async () => {
    const { id } = bodyOf(await acme.post('/vendors', { host: HOST }))
    const answer = await acme.patch(`/vendors/${id}`, { acp: { rotateOrderToken: true } })
    expect(answer.status).toBe(400)
  })
})
