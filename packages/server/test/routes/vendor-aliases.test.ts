import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findVendorOf } from '../../src/paths/card/storage/vendor-of-merchant.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'

const ID = { merchantId: '100200300400', network: 'visa' }
const NAME = { name: 'Sq *Example Saas Inc #12' }

describe('the aliases of a vendor', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  const fresh = async (): Promise<void> => {
    acme = await app.organization()
  }
  const find = (merchant: { network?: string; id?: string; name?: string }) =>
    findVendorOf(app.database.db, acme.organizationId, {
      network: merchant.network ?? null,
      id: merchant.id ?? null,
      name: merchant.name ?? '',
    })
  const enter = async (host: string, cardAliases: readonly object[]) =>
    bodyOf(await acme.post('/vendors', { host, category: 'software', cardAliases }))

  test('are shown as they were written, and replaced as a whole', async () => {
    await fresh()
    const vendor = await enter('a.example', [ID, NAME])
    expect(vendor).toMatchObject({ cardAliases: [ID, NAME] })
    bodyOf(await acme.patch(`/vendors/${vendor.id}`, { name: 'Renamed' }))
    expect(bodyOf(await acme.get('/vendors')).data).toMatchObject([{ cardAliases: [ID, NAME] }])
    bodyOf(await acme.patch(`/vendors/${vendor.id}`, { cardAliases: [NAME] }))
    expect(bodyOf(await acme.get('/vendors')).data).toMatchObject([{ cardAliases: [NAME] }])
    expect(await find({ network: 'visa', id: ID.merchantId })).toBeUndefined()
  })

  test('lead from a merchant to its vendor, in whatever form an issuer names it', async () => {
    await fresh()
    await enter('a.example', [ID, NAME])
    const vendor = { host: 'a.example', category: 'software', hasIds: true }
    const byId = { ...vendor, matchedBy: 'id' }
    expect(await find({ network: 'VISA', id: '100200300400  ' })).toEqual(byId)
    const byName = { ...vendor, matchedBy: 'name' }
    expect(await find({ name: 'EXAMPLE SAAS  INC 800-555-1234' })).toEqual(byName)
    expect(await find({ network: 'mastercard', id: ID.merchantId })).toBeUndefined()
    expect(await find({ name: 'EXAMPLE' })).toBeUndefined()
  })

  test('are tried from the surest on: an id of the network, an id of any, a name', async () => {
    await fresh()
    await enter('network.example', [{ merchantId: 'm1', network: 'visa' }])
    await enter('any.example', [{ merchantId: 'm1' }])
    await enter('name.example', [{ name: 'Shop' }])
    const host = async (merchant: Parameters<typeof find>[0]) => (await find(merchant))?.host
    expect(await host({ network: 'visa', id: 'm1', name: 'SHOP' })).toBe('network.example')
    expect(await host({ network: 'amex', id: 'm1', name: 'SHOP' })).toBe('any.example')
    expect(await host({ network: 'visa', id: 'm2', name: 'SHOP' })).toBe('name.example')
  })

  test('belong to one vendor of the organization, also when two ask at once', async () => {
    await fresh()
    const ask = (host: string, alias: object) =>
      acme.post('/vendors', { host, cardAliases: [alias] })
    const answers = await Promise.all(['a.example', 'b.example'].map((host) => ask(host, NAME)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const taken = await ask('c.example', { name: 'example saas inc' })
    expect([taken.status, taken.body.code]).toEqual([409, 'card_alias_taken'])
    const { id } = bodyOf(await acme.post('/vendors', { host: 'd.example' }))
    const moved = await acme.patch(`/vendors/${id}`, { cardAliases: [NAME] })
    expect([moved.status, moved.body.code]).toEqual([409, 'card_alias_taken'])
    const globex = await app.organization('Globex')
    bodyOf(await globex.post('/vendors', { host: 'a.example', cardAliases: [NAME] }))
  })

  test.each([
    ['the same twice, spelled differently', [NAME, { name: 'EXAMPLE SAAS INC' }], '1/name'],
    ['a name of numbers only', [{ name: '#123 4567890' }], '0/name'],
    ['a name of spaces', [{ name: '   ' }], '0/name'],
    ['an id of spaces', [{ merchantId: '   ' }], '0/merchantId'],
  ])('are refused with %s', async (_, cardAliases, path) => {
    await fresh()
    const { status, body } = await acme.post('/vendors', { host: 'a.example', cardAliases })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error) => error.path)).toEqual([`/cardAliases/${path}`])
  })

  test('are at most 50', async () => {
    await fresh()
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ merchantId: `merchant ${n}` }))
    expect((await enter('a.example', many(50))).id).toMatch(/^ven_/)
    const { status } = await acme.post('/vendors', { host: 'b.example', cardAliases: many(51) })
    expect(status).toBe(400)
  })
})
