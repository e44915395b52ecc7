import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, bodyOf, withoutRequest } from '../support/builders.ts'
import { dumpTables } from '../support/tables.ts'

const PAYEE = { network: 'eip155:8453', address: `0x${'aB'.repeat(20)}` }
const NO_VENDOR = 'ven_019a85617c5e7d409b5e6f1f0a3c2b11'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('a vendor of the directory', () => {
  test('is kept in normal form', async () => {
    const fields = {
      host: 'https://API.Vendor.example:8443/v1',
      category: 'Data',
      x402Payees: [PAYEE],
    }
    const vendor = bodyOf(await acme.post('/vendors', fields))
    expect(vendor).toMatchObject({
      host: 'api.vendor.example',
      name: null,
      category: 'data',
      x402Payees: [{ network: 'eip155:8453', address: PAYEE.address.toLowerCase() }],
    })
    const { data } = bodyOf(await acme.get('/vendors?host=Api.Vendor.Example'))
    expect(data).toMatchObject([vendor])
  })

  test('needs nothing but a host', async () => {
    const vendor = bodyOf(await acme.post('/vendors', { host: 'bare.example' }))
    expect(vendor).toMatchObject({ name: null, category: null, x402Payees: [] })
  })

  test('has a host of its own in its organization, and only there', async () => {
    bodyOf(await acme.post('/vendors', { host: 'once.example' }))
    const again = await acme.post('/vendors', { host: 'ONCE.example.' })
    expect([again.status, again.body.code]).toEqual([409, 'vendor_host_taken'])
    const globex = await app.organization('Globex')
    bodyOf(await globex.post('/vendors', { host: 'once.example' }))
  })

  test('is made once by two requests at the same time', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => acme.post('/vendors', { host: 'race.example' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('can be changed field by field; lists are replaced', async () => {
    const { id } = bodyOf(
      await acme.post('/vendors', { host: 'change.example', name: 'Old', x402Payees: [PAYEE] }),
    )
    const renamed = bodyOf(await acme.patch(`/vendors/${id}`, { name: 'New', category: null }))
    expect(renamed).toMatchObject({ name: 'New', category: null, x402Payees: [{}] })
    const emptied = bodyOf(await acme.patch(`/vendors/${id}`, { x402Payees: [] }))
    expect(emptied).toMatchObject({ name: 'New', x402Payees: [], host: 'change.example' })
    expect(bodyOf(await acme.get('/vendors?host=change.example')).data).toMatchObject([emptied])
  })

  test.each([
    ['no host', {}, '/host'],
    ['a host that is none', { host: 'not a host' }, '/host'],
    ['a wildcard', { host: '*.example.com' }, '/host'],
    ['a category that is none', { host: 'a.example', category: '???' }, '/category'],
    [
      'an address that is too short',
      { host: 'a.example', x402Payees: [{ ...PAYEE, address: '0x12' }] },
      '/x402Payees/0/address',
    ],
    [
      'the zero address',
      { host: 'a.example', x402Payees: [{ ...PAYEE, address: `0x${'0'.repeat(40)}` }] },
      '/x402Payees/0/address',
    ],
    [
      'the same payee twice, spelled differently',
      {
        host: 'a.example',
        x402Payees: [PAYEE, { ...PAYEE, address: PAYEE.address.toLowerCase() }],
      },
      '/x402Payees/1/address',
    ],
    [
      'a network by name',
      { host: 'a.example', x402Payees: [{ ...PAYEE, network: 'base' }] },
      '/x402Payees/0/network',
    ],
  ])('is refused with %s', async (_, fields, path) => {
    const before = await dumpTables(app.database.db)
    const answer = await acme.post('/vendors', fields)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(answer.body.errors.map((error) => error.path)).toContain(path)
    expect(await dumpTables(app.database.db)).toBe(before)
  })

  test('of another organization is as good as none', async () => {
    const globex = await app.organization('Globex')
    const { id } = bodyOf(await globex.post('/vendors', { host: 'theirs.example' }))
    const theirs = await acme.patch(`/vendors/${id}`, { name: 'Mine' })
    const nobodys = await acme.patch(`/vendors/${NO_VENDOR}`, { name: 'Mine' })
    expect(withoutRequest(theirs, id)).toBe(withoutRequest(nobodys, NO_VENDOR))
    expect(theirs.body.code).toBe('vendor_not_found')
    expect(bodyOf(await acme.get('/vendors?host=theirs.example')).data).toEqual([])
  })

  test('is seen with vendors:read and changed with vendors:write', async () => {
    const { client: reader } = await aKey(app, acme, { scopes: ['vendors:read'] })
    bodyOf(await reader.get('/vendors'))
    const refused = await reader.post('/vendors', { host: 'read.example' })
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  })

  test('is listed newest first, page by page', async () => {
    const owner = await app.organization('Pages')
    for (const n of [1, 2, 3]) bodyOf(await owner.post('/vendors', { host: `v${n}.example` }))
    const first = bodyOf(await owner.get('/vendors?limit=2'))
    const second = bodyOf(await owner.get(`/vendors?limit=2&cursor=${first.nextCursor}`))
    const hosts = [...first.data, ...second.data].map(({ host }) => host)
    expect([hosts, first.total]).toEqual([['v3.example', 'v2.example', 'v1.example'], 3])
  })
})
