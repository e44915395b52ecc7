import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Client,
  createTestApp,
  type Owner,
  type TestApp,
} from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { aSpend, budgetOf, evaluate } from '../support/spends.ts'

let counter = 0
const aFreshKey = () => ({ 'idempotency-key': `order-${counter++}` })
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

describe('the space of an Idempotency-Key', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  async function anAgentWithKey() {
    const { agentId, id } = await anActiveMandate(acme)
    const scopes = ['gateway:write', 'transactions:write']
    const { client } = await aKey(app, acme, { agentIds: [agentId], scopes })
    return { agentId, mandateId: id, client }
  }
  const spend = (client: Client, agentId: string, headers: Record<string, string>) =>
    client.post('/gateway/evaluate', aSpend(agentId), headers)
  const aHold = async (agentId: string): Promise<string> =>
    (await evaluate(acme, agentId, { hold: { expiresIn: '1h' } })).transactionId

  test('keeps an agent from taking the key that the kill switch is about to use', async () => {
    const { agentId, client } = await anAgentWithKey()
    const headers = aFreshKey()
    bodyOf(await spend(client, agentId, headers))
    const id = await aHold(agentId)
    bodyOf(await client.post(`/transactions/${id}/settle`, undefined, aFreshKey()))
    const frozen = await acme.patch('/organization', { frozen: true }, headers)
    expect([frozen.status, isReplay(frozen)]).toEqual([200, false])
    bodyOf(await acme.patch('/organization', { frozen: false }))
  })

  test.each(['settle', 'void'])(
    'holds what a bound key sends to %s a hold of its agent',
    async (action) => {
      const [mine, theirs] = [await anAgentWithKey(), await anAgentWithKey()]
      const headers = aFreshKey()
      for (const { agentId, client } of [mine, theirs]) {
        const url = `/transactions/${await aHold(agentId)}/${action}`
        const first = await client.post(url, undefined, headers)
        expect([first.status, isReplay(first)]).toEqual([200, false])
        const again = await client.post(url, undefined, headers)
        expect([again.text, isReplay(again)]).toEqual([first.text, true])
      }
      const url = `/transactions/${await aHold(mine.agentId)}/${action}`
      const byPeople = await acme.post(url, undefined, headers)
      expect([byPeople.status, isReplay(byPeople)]).toEqual([200, false])
    },
  )

  test('tells an agent nothing of the keys that others have used', async () => {
    const [mine, theirs] = [await anAgentWithKey(), await anAgentWithKey()]
    const headers = aFreshKey()
    bodyOf(await spend(theirs.client, theirs.agentId, headers))
    bodyOf(await acme.post('/agents', { name: 'Another' }, headers))
    const answer = await spend(mine.client, mine.agentId, headers)
    expect([answer.status, isReplay(answer)]).toEqual([200, false])
  })

  test('is the agent of the spend, also for a key that is bound to several', async () => {
    const [one, two] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const { client } = await aKey(app, acme, { agentIds: [one.agentId, two.agentId] })
    const headers = aFreshKey()
    for (const { agentId } of [one, two]) {
      const answer = await spend(client, agentId, headers)
      expect([answer.status, isReplay(answer)]).toEqual([200, false])
    }
  })

  test('gives a spend its first answer again when the key of its agent was rotated', async () => {
    const { agentId, mandateId, client } = await anAgentWithKey()
    const headers = aFreshKey()
    const first = await spend(client, agentId, headers)
    const rotated = (await aKey(app, acme, { agentIds: [agentId] })).client
    const again = await spend(rotated, agentId, headers)
    expect([again.text, isReplay(again)]).toEqual([first.text, true])
    expect((await budgetOf(acme, mandateId))[0]).toBe(10)
  })

  test('gives no other change of people again to another key of theirs', async () => {
    const { client } = await aKey(app, acme)
    const headers = aFreshKey()
    bodyOf(await acme.post('/api-keys', { name: 'Secret' }, headers))
    const answer = await client.post('/api-keys', { name: 'Secret' }, headers)
    expect([answer.status, answer.body.code]).toEqual([409, 'idempotency_key_reused'])
  })
})
