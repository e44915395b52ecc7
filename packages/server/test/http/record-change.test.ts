import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { changesOf, watchChanges } from '../support/changes.ts'
import { aSpend } from '../support/spends.ts'

describe('a change by a request', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app?.stop())

  test('is kept with who made it, when, and only what differs', async () => {
    const { key, client } = await aKey(app, acme, { name: 'Back office' })
    const agent = await anAgent(acme, { tags: ['a'], metadata: { b: '1', aa: '2' } })
    const since = await watchChanges(app, acme)
    const changed = bodyOf(
      await client.patch(`/agents/${agent.id}`, {
        status: 'paused',
        metadata: { aa: '2', b: '1' },
      }),
    )
    const [change, ...others] = await since()
    expect(others).toEqual([])
    expect(change).toMatchObject({
      actor: { kind: 'key', id: toUuid('key', key.id), name: 'Back office' },
      operation: 'agent.updated',
      subjectType: 'agent',
      subjectId: agent.id,
      at: Date.parse(changed.updatedAt),
    })
    expect(change?.before).toEqual({ status: 'active' })
    expect(change?.after).toEqual({ status: 'paused' })
    expect(changed.updatedBy).toBe(key.id)
  })

  test('is kept once, however often it is repeated with its Idempotency-Key', async () => {
    const since = await watchChanges(app, acme)
    const create = () => acme.post('/agents', { name: 'Once' }, { 'idempotency-key': 'once' })
    const { id } = bodyOf(await create())
    expect((await create()).headers['idempotent-replayed']).toBe('true')
    expect(await since()).toMatchObject([{ operation: 'agent.created', subjectId: id }])
  })

  test('is not kept when it is refused', async () => {
    const since = await watchChanges(app, acme)
    const taken = { name: 'Twin', externalId: 'twin' }
    bodyOf(await acme.post('/agents', taken))
    expect((await acme.post('/agents', taken)).status).toBe(409)
    expect(await since()).toHaveLength(1)
  })

  test('that leaves everything as it was is none', async () => {
    const agent = await anAgent(acme, { metadata: { b: '1', aa: '2' } })
    const since = await watchChanges(app, acme)
    bodyOf(await acme.patch(`/agents/${agent.id}`, { name: agent.name, status: 'active' }))
    expect(await since()).toEqual([])
  })

  test('takes its number in the order of the events', async () => {
    const { agentId } = await anActiveMandate(acme)
    bodyOf(await acme.post('/gateway/evaluate', aSpend(agentId)))
    bodyOf(await acme.patch(`/agents/${agentId}`, { status: 'paused' }))
    bodyOf(await acme.post('/gateway/evaluate', aSpend(agentId)))
    const events = await app.rows<{ number: bigint }>(
      'select number from webhook_events where organization_id = $1 and agent_id = $2 order by number',
      [acme.organizationId, agentId],
    )
    const pause = (await changesOf(app, acme)).at(-1)
    expect(pause?.operation).toBe('agent.updated')
    const [approved, rejected] = events.map(({ number }) => number)
    expect([approved, pause?.number, rejected]).toEqual(
      [0n, 1n, 2n].map((place) => (approved ?? 0n) + place),
    )
  })

  test('of others is not seen', async () => {
    const other = await app.organization()
    const since = await watchChanges(app, other)
    await anAgent(acme)
    expect(await since()).toEqual([])
  })
})
