import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import type { AnswerBody } from '../support/answer-body.ts'
import { type Client, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { aCard, aConnection } from '../support/cards.ts'

const MEMBER = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'

describe('who changed it last is shown', () => {
  let app: TestApp
  let acme: Owner
  let first: string
  let other: Client
  let second: string
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    acme = await app.organization()
    const { data } = bodyOf(await acme.get('/api-keys'))
    first = data[0]?.id ?? ''
    const { key, client } = await aKey(app, acme)
    second = key.id
    other = client
  })

  const listed = async (url: string, id: string): Promise<AnswerBody | undefined> =>
    bodyOf(await acme.get(url)).data.find((each) => each.id === id) as AnswerBody | undefined

  test.each<readonly [string, (client: Client) => Promise<AnswerBody>, object]>([
    ['/agents', anAgent, { tags: ['x'] }],
    [
      '/vendors',
      async (c) => bodyOf(await c.post('/vendors', { host: 'a.example' })),
      { name: 'A' },
    ],
    ['/cards', aCard, { label: 'Ads' }],
    ['/card-connections', aConnection, { name: 'Other' }],
    ['/mandates', aDraft, { name: 'Other' }],
  ])('of %s', async (url, make, change) => {
    const made = await make(acme)
    expect(made.updatedBy).toBe(first)
    expect(bodyOf(await other.patch(`${url}/${made.id}`, change)).updatedBy).toBe(second)
    expect(await listed(url, made.id)).toMatchObject({ updatedBy: second })
  })

  test('of a mandate, also by an activation, a new budget, a revocation and an archiving', async () => {
    const { id } = await aDraft(acme)
    const by = async () => bodyOf(await acme.get(`/mandates/${id}`)).updatedBy
    expect(bodyOf(await other.post(`/mandates/${id}/activate`)).updatedBy).toBe(second)
    expect(await by()).toBe(second)
    const budget = { budgetTotal: 200 }
    expect(bodyOf(await acme.patch(`/mandates/${id}/budget`, budget)).updatedBy).toBe(first)
    expect(await by()).toBe(first)
    expect(bodyOf(await other.post(`/mandates/${id}/revoke`)).updatedBy).toBe(second)
    expect(await by()).toBe(second)
    bodyOf(await acme.delete(`/mandates/${id}`))
    expect(await by()).toBe(first)
  })

  test('of what goes with an agent that is deleted', async () => {
    const { agentId, id: parentMandateId } = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { parentMandateId, budgetTotal: 10 })
    const card = await aCard(acme, { agentId })
    bodyOf(await other.delete(`/agents/${agentId}`))
    expect(await listed('/cards', card.id)).toMatchObject({ status: 'closed', updatedBy: second })
    for (const id of [parentMandateId ?? '', child.id]) {
      expect(bodyOf(await acme.get(`/mandates/${id}`)).updatedBy).toBe(second)
    }
  })

  test('of the organization', async () => {
    expect(bodyOf(await other.patch('/organization', { name: 'B' })).updatedBy).toBe(second)
    bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    expect(bodyOf(await acme.get('/organization')).updatedBy).toBe(first)
  })

  test('by a member under the id of a member, and not of a key', async () => {
    const member = toPublicId('mem', MEMBER)
    const { id } = await aDraft(acme)
    await app.rows(
      `update mandate_versions set changed_by = null, changed_by_member = $2 where mandate_id = $1`,
      [toUuid('mnd', id), MEMBER],
    )
    await app.rows('update api_keys set created_by = $2 where id = $1', [
      toUuid('key', second),
      member,
    ])
    const versions = JSON.parse((await acme.get(`/mandates/${id}/versions`)).text)
    expect(versions.data).toMatchObject([{ changedBy: member }])
    const { data } = bodyOf(await acme.get('/api-keys'))
    expect(data.map(({ createdBy }) => createdBy)).toEqual([member, 'cli'])
  })

  test('as unknown where an older gateway has not kept it', async () => {
    const agent = await anAgent(acme)
    await app.rows('update agents set updated_by = null where id = $1', [agent.id])
    expect(bodyOf(await acme.get(`/agents/${agent.id}`)).updatedBy).toBeNull()
  })
})
