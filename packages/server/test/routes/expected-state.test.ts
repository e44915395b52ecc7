import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { aMember } from '../support/people.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const RULES = [{ id: 'most', type: 'amount', max: 5 }]
const WIDER = [{ id: 'most', type: 'amount', max: 50 }]

interface Refused {
  readonly current: unknown
  readonly changedBy: { readonly id: string; readonly name: string | null } | null
  readonly changedAt: string
  readonly changes: readonly unknown[]
  readonly changesLeftOut?: number
}

function refusedOf({ status, text }: Answer): Refused {
  const body = JSON.parse(text)
  expect([status, body.code], text).toEqual([409, 'changed_meanwhile'])
  return body
}

describe('a change of an active mandate', () => {
  test('from an outdated version is refused, and the answer says what changed and who', async () => {
    const { id } = await anActiveMandate(acme, { rules: RULES })
    const ada = await aMember(app, acme, { email: 'ada@example.com' })
    const theirs = bodyOf(await ada.patch(`/api/v1/mandates/${id}`, { rules: WIDER }))
    const mine = { name: 'Mine', expectedVersion: 1 }
    const refused = refusedOf(await acme.patch(`/mandates/${id}`, mine))
    expect(refused).toMatchObject({
      current: 2,
      changedBy: { name: 'ada@example.com', id: theirs.updatedBy },
      changedAt: theirs.updatedAt,
      changes: [{ field: 'rules.most.max', before: 5, after: 50 }],
    })
    expect(bodyOf(await acme.get(`/mandates/${id}`))).toMatchObject({
      version: 2,
      name: 'Research',
    })
    const again = bodyOf(await acme.patch(`/mandates/${id}`, { ...mine, expectedVersion: 2 }))
    expect(again).toMatchObject({ version: 3, name: 'Mine' })
  })

  test('lists the changes of all versions since, and not those that were undone', async () => {
    const { id } = await anActiveMandate(acme, { rules: RULES, budgetTotal: 100 })
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 150 }))
    bodyOf(await acme.patch(`/mandates/${id}`, { name: 'Other', rules: WIDER }))
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: RULES }))
    const budget = { budgetTotal: 200, expectedVersion: 1 }
    const { current, changes } = refusedOf(await acme.patch(`/mandates/${id}/budget`, budget))
    expect(current).toBe(4)
    expect(changes).toEqual([
      { field: 'name', before: 'Research', after: 'Other' },
      { field: 'budgetTotal', before: 100, after: 150 },
    ])
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { ...budget, expectedVersion: 4 }))
  })

  test('is refused for a version that does not exist, without a list of changes', async () => {
    const { id } = await anActiveMandate(acme)
    const body = { name: 'Mine', expectedVersion: 7 }
    const refused = refusedOf(await acme.patch(`/mandates/${id}`, body))
    expect(refused).toMatchObject({ current: 1, changes: [] })
  })

  test('lists only as many changes as fit, and counts the others', async () => {
    const vendors = (tag: string) =>
      Array.from({ length: 60 }, (_, n) => ({
        id: `v${n}`,
        type: 'vendors',
        allow: [`${tag}-${n}.example.com`],
      }))
    const { id } = await anActiveMandate(acme, { rules: vendors('a') })
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: vendors('b') }))
    const answer = await acme.patch(`/mandates/${id}`, { name: 'Mine', expectedVersion: 1 })
    const { changes, changesLeftOut } = refusedOf(answer)
    expect([changes.length, changesLeftOut]).toEqual([50, 10])
    expect(answer.text.length).toBeLessThan(20_000)
  })

  test('goes by the ETag of the mandate in If-Match as well', async () => {
    const { id } = await anActiveMandate(acme)
    const etag = async () => String((await acme.get(`/mandates/${id}`)).headers['etag'])
    const first = await etag()
    expect(first).toBe('"1"')
    bodyOf(await acme.patch(`/mandates/${id}`, { name: 'Theirs' }, { 'if-match': first }))
    const refused = refusedOf(
      await acme.patch(`/mandates/${id}`, { name: 'Mine' }, { 'if-match': first }),
    )
    expect(refused.current).toBe(2)
    bodyOf(await acme.patch(`/mandates/${id}`, { name: 'Mine' }, { 'if-match': await etag() }))
    bodyOf(await acme.patch(`/mandates/${id}`, { name: 'Any' }, { 'if-match': '*' }))
    bodyOf(await acme.patch(`/mandates/${id}`, { name: 'Weak' }, { 'if-match': 'W/"4"' }))
  })

  test.each(['3', '"x"', '""', '"1", "2"', '"2026-01-01"', '"01"'])(
    'is refused with the If-Match %s, which is no ETag of ours',
    async (header) => {
      const { id } = await anActiveMandate(acme)
      const answer = await acme.patch(`/mandates/${id}`, { name: 'Mine' }, { 'if-match': header })
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    },
  )

  test('is replayed with its Idempotency-Key although the version has moved on', async () => {
    const { id } = await anActiveMandate(acme)
    const key = { 'idempotency-key': 'expected-once' }
    const body = { name: 'Mine', expectedVersion: 1 }
    const first = bodyOf(await acme.patch(`/mandates/${id}`, body, key))
    expect(bodyOf(await acme.patch(`/mandates/${id}`, body, key))).toEqual(first)
  })
})

describe('a draft, which keeps its version', () => {
  test('is changed only from the expected updatedAt', async () => {
    const draft = await aDraft(acme, { rules: RULES })
    bodyOf(await acme.patch(`/mandates/${draft.id}`, { budgetTotal: 50, rules: WIDER }))
    bodyOf(await acme.patch(`/mandates/${draft.id}`, { budgetTotal: 60 }))
    const mine = { name: 'Mine', expectedUpdatedAt: draft.updatedAt }
    const { current, changes } = refusedOf(await acme.patch(`/mandates/${draft.id}`, mine))
    expect(changes).toEqual([
      { field: 'budgetTotal', before: 100, after: 60 },
      { field: 'rules.most.max', before: 5, after: 50 },
    ])
    bodyOf(await acme.patch(`/mandates/${draft.id}`, { ...mine, expectedUpdatedAt: current }))
  })

  test('is activated only as it was reviewed', async () => {
    const draft = await aDraft(acme)
    const url = `/mandates/${draft.id}`
    const reviewed = String((await acme.get(url)).headers['etag'])
    expect(reviewed).toBe(`"${draft.updatedAt}"`)
    const changed = bodyOf(await acme.patch(url, { budgetTotal: 1_000 }))
    const header = { 'if-match': reviewed }
    const refused = refusedOf(await acme.post(`${url}/activate`, undefined, header))
    expect(refused.changes).toEqual([{ field: 'budgetTotal', before: 100, after: 1_000 }])
    const body = { expectedUpdatedAt: changed.updatedAt, expectedVersion: 1 }
    bodyOf(await acme.post(`${url}/activate`, body))
  })

  test('cannot be changed by a person who did not see its activation', async () => {
    const draft = await aDraft(acme)
    bodyOf(await acme.post(`/mandates/${draft.id}/activate`))
    const mine = { rules: WIDER, expectedUpdatedAt: draft.updatedAt }
    const { changes } = refusedOf(await acme.patch(`/mandates/${draft.id}`, mine))
    expect(changes).toContainEqual({ field: 'status', before: 'draft', after: 'active' })
  })

  test('has a different updatedAt after each of two changes in one millisecond', async () => {
    app.clock.now = Date.now()
    const draft = await aDraft(acme)
    const second = bodyOf(await acme.patch(`/mandates/${draft.id}`, { name: 'Second' }))
    const third = bodyOf(await acme.patch(`/mandates/${draft.id}`, { name: 'Third' }))
    app.clock.now = undefined
    expect(new Set([draft, second, third].map(({ updatedAt }) => updatedAt)).size).toBe(3)
  })
})

describe('the organization and agents, which have no version', () => {
  test('are changed only from the expected updatedAt', async () => {
    const globex = await app.organization('Globex')
    const agent = await anAgent(globex)
    const places = [
      ['/organization', bodyOf(await globex.get('/organization'))],
      [`/agents/${agent.id}`, agent],
    ] as const
    const { client, key } = await aKey(app, globex, { name: 'Another program' })
    for (const [url, { name, updatedAt }] of places) {
      const mine = { name: 'Mine', expectedUpdatedAt: updatedAt }
      const theirs = bodyOf(await client.patch(url, { name: 'Theirs' }))
      const refused = refusedOf(await globex.patch(url, mine))
      expect(refused).toMatchObject({
        current: theirs.updatedAt,
        changedBy: { id: key.id, name: 'Another program' },
        changedAt: theirs.updatedAt,
        changes: [{ field: 'name', before: name, after: 'Theirs' }],
      })
      const header = { 'if-match': String((await globex.get(url)).headers['etag']) }
      bodyOf(await globex.patch(url, { name: 'Mine' }, header))
      expect((await globex.patch(url, { name: 'Late' }, header)).status).toBe(409)
      expect(bodyOf(await globex.get(url)).name).toBe('Mine')
    }
  })

  test('have a different updatedAt after each of two changes in one millisecond', async () => {
    app.clock.now = Date.now()
    const globex = await app.organization()
    const { id } = await anAgent(globex)
    for (const url of ['/organization', `/agents/${id}`]) {
      const first = bodyOf(await globex.patch(url, { name: 'First' }))
      const second = bodyOf(await globex.patch(url, { name: 'Second' }))
      expect(first.updatedAt < second.updatedAt).toBe(true)
    }
    app.clock.now = undefined
  })
})
