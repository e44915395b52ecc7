import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../../src/core/id.ts'
import { CARDS_MAX, stopOf } from '../../../../src/paths/card/registry/card.ts'
import { createTestApp, type Owner, type TestApp } from '../../../support/app.ts'
import { aKey, anAgent, bodyOf, NO_AGENT } from '../../../support/builders.ts'
import { aCard, aConnection } from '../../../support/cards.ts'

const NO_CARD = 'card_019a85617c5e7d409b5e6f1f0a3c2b11'
const NO_CONNECTION = 'conn_019a85617c5e7d409b5e6f1f0a3c2b11'

test('a card is stopped by the stricter of what we and the issuer say, and with its agent', () => {
  const stop = (status: 'active' | 'paused' | 'closed', provider: typeof status | null) =>
    stopOf({ status, providerStatus: provider, agentStatus: 'active' })
  expect([stop('active', null), stop('active', 'active')]).toEqual([null, null])
  expect([stop('paused', 'active'), stop('active', 'paused')]).toEqual(Array(2).fill('card_paused'))
  expect([stop('closed', 'paused'), stop('paused', 'closed')]).toEqual(Array(2).fill('card_closed'))
  const orphan = { status: 'active', providerStatus: null, agentStatus: 'deleted' } as const
  expect(stopOf(orphan)).toBe('card_closed')
})

describe('a card', () => {
  let app: TestApp
  let acme: Owner
  let agentId: string
  let connectionId: string

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    agentId = (await anAgent(acme)).id
    connectionId = (await aConnection(acme)).id
  })
  afterAll(() => app.stop())

  const make = (fields: object) =>
    acme.post('/cards', { connectionId, agentId, externalId: 'ic_x', ...fields })
  const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [
    status,
    body.code,
  ]

  test('is registered for an agent, and listed newest first', async () => {
    const fields = { last4: '4242', currency: 'EUR', label: 'Ads', metadata: { team: 'growth' } }
    const card = bodyOf(await make({ externalId: 'ic_1', ...fields }))
    expect(card).toEqual({
      id: expect.stringMatching(/^card_[0-9a-f]{32}$/),
      connectionId,
      externalId: 'ic_1',
      agentId,
      ...fields,
      status: 'active',
      providerStatus: null,
      statusReason: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      updatedBy: expect.stringMatching(/^key_/),
    })
    const bare = bodyOf(await make({ externalId: 'ic_2' }))
    const plain = { last4: null, currency: null, label: null, metadata: {} }
    expect(bare).toMatchObject(plain)
    const ofAgent = await acme.get(`/cards?connectionId=${connectionId}&agentId=${agentId}`)
    expect(bodyOf(ofAgent).data).toMatchObject([bare, card])
    expect(bodyOf(await acme.get('/cards?externalId=ic_1&status=active')).data).toMatchObject([
      card,
    ])
    expect(bodyOf(await acme.get('/cards?status=closed')).data).toEqual([])
  })

  test('has a name of its own in its connection, and only there', async () => {
    const once = { externalId: 'ic_once' }
    const answers = await Promise.all([make(once), make(once), make(once)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const again = await make(once)
    expect(codeOf(again)).toEqual([409, 'card_exists'])
    expect(again.body.detail).toContain('moves it')
    const { id: other } = await aConnection(acme)
    bodyOf(await make({ ...once, connectionId: other }))
  })

  test('belongs to an agent and a connection that are there', async () => {
    const gone = (await anAgent(acme)).id
    bodyOf(await acme.delete(`/agents/${gone}`))
    const globex = await app.organization('Globex')
    const theirs = {
      agentId: (await anAgent(globex)).id,
      connectionId: (await aConnection(globex)).id,
    }
    for (const other of [NO_AGENT, gone, theirs.agentId]) {
      expect(codeOf(await make({ agentId: other }))).toEqual([404, 'agent_not_found'])
    }
    for (const other of [NO_CONNECTION, theirs.connectionId]) {
      const answer = await make({ connectionId: other })
      expect(codeOf(answer)).toEqual([404, 'card_connection_not_found'])
    }
  })

  test('is paused, resumed and labelled; a reason goes with its status', async () => {
    const { id } = bodyOf(await make({ externalId: 'ic_change' }))
    const change = async (fields: object) => bodyOf(await acme.patch(`/cards/${id}`, fields))
    const paused = await change({ status: 'paused', statusReason: 'Lost' })
    expect(paused).toMatchObject({ status: 'paused', statusReason: 'Lost' })
    const labelled = await change({ label: 'Spare', metadata: { a: 'b' } })
    expect(labelled).toMatchObject({ status: 'paused', statusReason: 'Lost', label: 'Spare' })
    expect(await change({ status: 'paused' })).toMatchObject({ statusReason: 'Lost' })
    expect(await change({ status: 'active' })).toMatchObject({ statusReason: null, label: 'Spare' })
  })

  test('that is closed stays closed, and can still be labelled', async () => {
    const { id } = bodyOf(await make({ externalId: 'ic_closed' }))
    bodyOf(await acme.patch(`/cards/${id}`, { status: 'closed', statusReason: 'Done' }))
    for (const status of ['active', 'paused']) {
      const answer = await acme.patch(`/cards/${id}`, { status })
      expect(codeOf(answer)).toEqual([409, 'card_closed_for_good'])
    }
    const labelled = bodyOf(await acme.patch(`/cards/${id}`, { status: 'closed', label: 'Old' }))
    expect(labelled).toMatchObject({ status: 'closed', statusReason: 'Done', label: 'Old' })
  })

  test('is closed with its agent', async () => {
    const card = await aCard(acme, { externalId: 'ic_agent' })
    const other = bodyOf(await make({ externalId: 'ic_other' }))
    bodyOf(await acme.delete(`/agents/${card.agentId}`))
    const { data } = bodyOf(await acme.get(`/cards?agentId=${card.agentId}`))
    expect(data).toMatchObject([{ status: 'closed', statusReason: 'agent_deleted' }])
    const { data: left } = bodyOf(await acme.get(`/cards?externalId=${other.externalId}`))
    expect(left).toMatchObject([{ status: 'active' }])
  })

  test('is never left open by an agent that is deleted while it is registered', async () => {
    const rounds = Array.from({ length: 10 }, async (_, round) => {
      const { id } = await anAgent(acme)
      const fresh = { agentId: id, externalId: `ic_race_${round}` }
      const [made, deleted] = await Promise.all([make(fresh), acme.delete(`/agents/${id}`)])
      expect([200, 404]).toContain(made.status)
      bodyOf(deleted)
      return bodyOf(await acme.get(`/cards?agentId=${id}`)).data.map(({ status }) => status)
    })
    const left = (await Promise.all(rounds)).flat()
    expect(left.filter((status) => status !== 'closed')).toEqual([])
  })

  test('is one of a bounded number that are not closed', async () => {
    const owner = await app.organization('Many')
    const mine = { agentId: (await anAgent(owner)).id, connectionId: (await aConnection(owner)).id }
    await app.rows(
      `insert into cards (organization_id, id, connection_id, external_id, agent_id, status, metadata,
         created_at, updated_at)
       select $1, gen_random_uuid(), $2, 'ic_' || n, $3, 'active', '{}', now(), now()
       from generate_series(1, $4) as n`,
      [owner.organizationId, toUuid('conn', mine.connectionId), mine.agentId, CARDS_MAX],
    )
    const full = await owner.post('/cards', { ...mine, externalId: 'one too many' })
    expect(full.status).toBe(400)
    const answer = await owner.post('/cards', { ...mine, externalId: 'one_too_many' })
    expect(codeOf(answer)).toEqual([409, 'card_limit_reached'])
    const { data } = bodyOf(await owner.get('/cards?limit=1'))
    bodyOf(await owner.patch(`/cards/${data[0]?.id}`, { status: 'closed' }))
    bodyOf(await owner.post('/cards', { ...mine, externalId: 'one_too_many' }))
  })

  test('of another organization is not there', async () => {
    const { id } = bodyOf(await make({ externalId: 'ic_mine' }))
    const stranger = await app.organization('Stranger')
    expect(bodyOf(await stranger.get('/cards')).data).toEqual([])
    expect(bodyOf(await stranger.get(`/cards?connectionId=${connectionId}`)).data).toEqual([])
    for (const other of [id, NO_CARD]) {
      const answer = await stranger.patch(`/cards/${other}`, { label: 'Mine' })
      expect(codeOf(answer)).toEqual([404, 'card_not_found'])
    }
  })

  test('is seen with cards:read, by the key of an agent only if it is its own, and changed with cards:write', async () => {
    const mine = await aCard(acme, { externalId: 'ic_bound', connectionId })
    const agentIds = [mine.agentId]
    const { client: bound } = await aKey(app, acme, { agentIds, scopes: ['cards:write'] })
    const { client: plain } = await aKey(app, acme, { agentIds })
    const { client: reader } = await aKey(app, acme, { scopes: ['cards:read'] })
    expect(bodyOf(await bound.get('/cards')).data).toMatchObject([mine])
    expect(bodyOf(await bound.get(`/cards?agentId=${agentId}`)).data).toEqual([])
    expect(bodyOf(await reader.get('/cards')).total).toBeGreaterThan(1)
    expect(codeOf(await plain.get('/cards'))).toEqual([403, 'insufficient_scope'])
    for (const [client, code] of [
      [bound, 'agent_bound_key'],
      [reader, 'insufficient_scope'],
    ] as const) {
      const fresh = { agentId: mine.agentId, connectionId, externalId: 'ic_own' }
      expect(codeOf(await client.post('/cards', fresh))).toEqual([403, code])
      expect(codeOf(await client.patch(`/cards/${mine.id}`, { label: 'x' }))).toEqual([403, code])
    }
  })
})
