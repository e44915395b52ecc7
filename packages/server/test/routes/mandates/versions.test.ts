import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aDraft, aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('the versions of a mandate', () => {
  test('are one while it is a draft, rewritten with every change', async () => {
    const draft = await aDraft(acme, { budgetTotal: 5 })
    await acme.patch(`/mandates/${draft.id}`, { budgetTotal: 6 })
    const { data, total } = bodyOf(await acme.get(`/mandates/${draft.id}/versions`))
    expect(total).toBe(1)
    expect(data).toMatchObject([{ version: 1, budgetTotal: 6, changes: [] }])
  })

  test('tell what each change was, newest first, and which key made it', async () => {
    const mandate = await anActiveMandate(acme, {
      name: 'Old',
      rules: [
        { type: 'amount', max: 10 },
        { type: 'paths', allow: ['x402'] },
      ],
    })
    const { key, client } = await aKey(app, acme, { scopes: ['mandates:write'] })
    await client.patch(`/mandates/${mandate.id}`, {
      name: 'New',
      rules: [
        { type: 'amount', max: 20 },
        { type: 'vendors', allow: ['a.com'] },
      ],
    })
    await acme.patch(`/mandates/${mandate.id}/budget`, { budgetTotal: 250 })
    await acme.patch(`/mandates/${mandate.id}`, { validUntil: '2999-01-01T00:00:00Z' })

    const { data } = bodyOf(await acme.get(`/mandates/${mandate.id}/versions`))
    expect(data.map(({ version }) => version)).toEqual([4, 3, 2, 1])
    expect(data[0]?.changes).toEqual([
      { field: 'validUntil', before: null, after: '2999-01-01T00:00:00.000Z' },
    ])
    expect(data[1]?.changes).toEqual([{ field: 'budgetTotal', before: 100, after: 250 }])
    expect(data[2]?.changes).toEqual([
      { field: 'name', before: 'Old', after: 'New' },
      { field: 'rules.amount.max', before: 10, after: 20 },
      {
        field: 'rules.vendors',
        before: null,
        after: { type: 'vendors', id: 'vendors', effect: 'reject', allow: ['a.com'] },
      },
      {
        field: 'rules.paths',
        before: { type: 'paths', id: 'paths', effect: 'reject', allow: ['x402'] },
        after: null,
      },
    ])
    expect(data[2]?.changedBy).toBe(key.id)
    expect(data[3]?.changes).toEqual([])
    expect(data[3]).toMatchObject({ name: 'Old', budgetTotal: 100 })
  })

  test('can be read page by page, each with the difference to the one before it', async () => {
    const { id } = await anActiveMandate(acme)
    for (const budgetTotal of [101, 102, 103]) {
      await acme.patch(`/mandates/${id}/budget`, { budgetTotal })
    }
    const page = bodyOf(await acme.get(`/mandates/${id}/versions?limit=2&offset=1`))
    expect(page).toMatchObject({ total: 4, limit: 2, offset: 1, hasMore: true, nextCursor: null })
    expect(page.data.map(({ changes }) => changes)).toEqual([
      [{ field: 'budgetTotal', before: 101, after: 102 }],
      [{ field: 'budgetTotal', before: 100, after: 101 }],
    ])
    expect(bodyOf(await acme.get(`/mandates/${id}/versions?offset=3`)).hasMore).toBe(false)
  })

  test.each(['limit=0', 'limit=201', 'offset=-1', 'offset=10001', 'cursor=x', 'version=1'])(
    'cannot be asked for with %s',
    async (query) => {
      const { id } = await aDraft(acme)
      const { status, body } = await acme.get(`/mandates/${id}/versions?${query}`)
      expect(status).toBe(400)
      expect(body.errors[0]?.path).toBe(`/${query.split('=')[0]}`)
    },
  )

  test('stay readable after the mandate was revoked and archived', async () => {
    const { id } = await anActiveMandate(acme)
    await acme.post(`/mandates/${id}/revoke`)
    await acme.delete(`/mandates/${id}`)
    expect(bodyOf(await acme.get(`/mandates/${id}/versions`)).total).toBe(1)
  })
})
