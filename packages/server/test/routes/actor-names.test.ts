import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerBody } from '../support/answer-body.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { aDraft, aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { aCard, aConnection } from '../support/cards.ts'
import { aMember, type Person } from '../support/people.ts'
import { evaluate } from '../support/spends.ts'

let app: TestApp
let acme: Owner
let ada: Person
let viewer: Person
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  ada = await aMember(app, acme)
  bodyOf(await ada.patch('/console/api/me', { name: 'Ada' }))
  viewer = await aMember(app, acme, { role: 'viewer' })
})
afterAll(() => app.stop())

/** The entry of a list as a viewer sees it, who can list neither keys nor people. */
async function seen(url: string, id: string): Promise<AnswerBody | undefined> {
  return bodyOf(await viewer.get(`/api/v1${url}`))
    .data.map(Object)
    .find((each) => each.id === id)
}

describe('a name is beside the id of the actor', () => {
  test.each<readonly [string, (owner: Owner) => Promise<AnswerBody>, object]>([
    ['/agents', anAgent, { tags: ['x'] }],
    [
      '/vendors',
      async (o) => bodyOf(await o.post('/vendors', { host: 'a.example' })),
      { name: 'A' },
    ],
    ['/cards', aCard, { label: 'Ads' }],
    ['/card-connections', aConnection, { name: 'Other' }],
    ['/mandates', aDraft, { name: 'Other' }],
  ])('in %s', async (url, make, change) => {
    const { id } = await make(acme)
    expect(await seen(url, id)).toMatchObject({ updatedByName: 'First key' })
    bodyOf(await ada.patch(`/api/v1${url}/${id}`, change))
    const named = { updatedBy: ada.id, updatedByName: 'Ada' }
    expect(await seen(url, id)).toMatchObject(named)
    if (url !== '/agents' && url !== '/mandates') return
    expect(bodyOf(await viewer.get(`/api/v1${url}/${id}`))).toMatchObject(named)
  })

  test('in the versions of a mandate, keys, and the organization', async () => {
    const { id } = await aDraft(acme)
    const versions = bodyOf(await viewer.get(`/api/v1/mandates/${id}/versions`))
    expect(versions.data).toMatchObject([{ changedByName: 'First key' }])
    const { key } = await aKey(app, acme)
    const keys = bodyOf(await acme.get('/api-keys')).data.map(Object)
    expect(keys.find((each) => each.id === key.id)).toMatchObject({ createdByName: 'First key' })
    expect(keys.find((each) => each.name === 'First key').createdByName).toBeNull()
    bodyOf(await ada.patch('/api/v1/organization', { timezone: 'Europe/Berlin' }))
    const organization = bodyOf(await viewer.get('/api/v1/organization'))
    expect(organization).toMatchObject({ updatedBy: ada.id, updatedByName: 'Ada' })
  })

  test('in the audit log, for agents, keys and members', async () => {
    const globex = await app.organization('Globex')
    const bo = await aMember(app, globex)
    const { agentId } = await anActiveMandate(globex)
    await evaluate(globex, agentId)
    bodyOf(await bo.patch(`/api/v1/agents/${agentId}`, { name: 'Buyer' }))
    await sealAll(app)
    const entries = bodyOf(await bo.get('/api/v1/audit-log')).data.map(Object)
    const nameOf = (kind: string) => entries.find((entry) => entry.kind === kind)?.actorName
    expect(nameOf('transaction.approved')).toBe('Buyer')
    expect(nameOf('change.mandate.activated')).toBe('First key')
    const { name } = bodyOf(await bo.get('/console/api/me')).member
    expect(nameOf('change.agent.updated')).toBe(name)
    expect(nameOf('log.begun')).toBeNull()
  })

  test('but not for a key that is bound to agents', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId] })
    for (const url of [`/agents/${agentId}`, `/mandates/${id}`]) {
      expect(bodyOf(await client.get(url))).toMatchObject({ updatedByName: null })
    }
  })
})
