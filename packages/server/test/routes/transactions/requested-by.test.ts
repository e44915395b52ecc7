import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCardDesk } from '../../paths/card/desk.ts'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { aMember } from '../../support/people.ts'
import { aSpend, evaluate } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

/** The requester and the agent's name in the list, in both views, and in the transaction itself. */
async function shown(client: Client, id: string) {
  const lists = await Promise.all(
    ['/transactions', '/transactions?view=summary'].map((url) => client.get(url)),
  )
  const listed = lists.map((list) =>
    bodyOf(list)
      .data.map(Object)
      .find(({ transactionId }) => transactionId === id),
  )
  const all = [...listed, bodyOf(await client.get(`/transactions/${id}`))].map(Object)
  const [first] = all.map(({ requestedBy, agentName }) => ({ requestedBy, agentName }))
  for (const each of all) expect(each).toMatchObject(first ?? {})
  return first
}

describe('a transaction names', () => {
  test('the key that sent the spend, even after the key was revoked', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { key, client } = await aKey(app, acme, { name: 'Crew', agentIds: [agentId] })
    const { transactionId } = await evaluate(client, agentId)
    const requestedBy = { kind: 'key', id: key.id, name: 'Crew' }
    expect(await shown(acme, transactionId)).toEqual({ requestedBy, agentName: 'Research' })
    bodyOf(await acme.delete(`/api-keys/${key.id}`))
    expect(await shown(acme, transactionId)).toMatchObject({ requestedBy })
  })

  test('the member that sent it, with the current name, even after a removal', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [owner, ada] = [await aMember(app, acme), await aMember(app, acme, { role: 'admin' })]
    bodyOf(await ada.patch('/console/api/me', { name: 'Ada' }))
    const answer = await ada.post('/api/v1/gateway/evaluate', aSpend(agentId))
    const { transactionId } = bodyOf(answer)
    const requestedBy = { kind: 'member', id: ada.id, name: 'Ada' }
    expect(await shown(acme, transactionId)).toMatchObject({ requestedBy })
    bodyOf(await owner.delete(`/console/api/members/${ada.id}`))
    expect(await shown(acme, transactionId)).toMatchObject({ requestedBy })
  })

  test('the issuer that reported a card payment without a request', async () => {
    const desk = await openCardDesk({ app })
    bodyOf(
      await desk.tell('capture', {
        authorizationId: 'unasked',
        card: { externalId: desk.card.externalId },
        amount: 5,
        currency: 'USD',
      }),
    )
    await waitUntil(async () => (await desk.transactions()).length === 1)
    const [{ transactionId } = { transactionId: '' }] = await desk.transactions()
    const requestedBy = { kind: 'issuer', id: desk.connectionId, name: desk.connection.name }
    expect(await shown(desk.acme, transactionId)).toMatchObject({ requestedBy })
  })

  test('the key that sent a card request over the API', async () => {
    const desk = await openCardDesk({ app })
    bodyOf(await desk.ask())
    const [{ transactionId } = { transactionId: '' }] = await desk.transactions()
    expect(await shown(desk.acme, transactionId)).toMatchObject({ requestedBy: { kind: 'key' } })
  })

  test('an agent that was deleted', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    bodyOf(await acme.patch(`/agents/${agentId}`, { name: 'Last name' }))
    bodyOf(await acme.delete(`/agents/${agentId}`))
    expect(await shown(acme, transactionId)).toMatchObject({ agentName: 'Last name' })
  })

  test('no sender if none was stored', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    await app.rows('update transactions set requested_by = null where agent_id = $1', [agentId])
    expect(await shown(acme, transactionId)).toMatchObject({ requestedBy: null })
  })
})

test('an agent-bound key sees itself as the sender, and no other sender', async () => {
  const { agentId } = await anActiveMandate(acme)
  const { key, client } = await aKey(app, acme, { name: 'Own', agentIds: [agentId] })
  const [own, others] = [await evaluate(client, agentId), await evaluate(acme, agentId)]
  expect(await shown(client, own.transactionId)).toEqual({
    requestedBy: { kind: 'key', id: key.id, name: 'Own' },
    agentName: 'Research',
  })
  expect(await shown(client, others.transactionId)).toMatchObject({ requestedBy: null })
  const { text } = await client.get('/transactions/export')
  const rows = text.split('\r\n').slice(1, -1)
  expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
    ['', ''],
    [key.id, 'Own'],
  ])
})

test('a retried spend keeps its first sender', async () => {
  const { agentId } = await anActiveMandate(acme)
  const { key, client } = await aKey(app, acme, { name: 'First' })
  const header = { 'idempotency-key': 'retried' }
  const body = aSpend(agentId)
  const first = bodyOf(await client.post('/gateway/evaluate', body, header))
  bodyOf(await acme.post('/gateway/evaluate', body, header))
  expect(await shown(acme, first.transactionId)).toMatchObject({ requestedBy: { id: key.id } })
})
