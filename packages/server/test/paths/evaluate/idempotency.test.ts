import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import {
  type Answer,
  type Client,
  createTestApp,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { aKey, anActiveMandate, anAgent, bodyOf, DAY_MS } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { aSpend, budgetOf, change, evaluate } from '../../support/spends.ts'

const AGENT_SCOPES = ['gateway:write', 'transactions:write']
let counter = 0
const aFreshKey = () => ({ 'idempotency-key': `{spend} "${counter++}", \\ of this file` })

const send = (client: Client, agentId: string, headers: Record<string, string>, fields = {}) =>
  client.post('/gateway/evaluate', aSpend(agentId, fields), headers)

const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

const outcomeOf = ({ status, body }: Answer) => (status === 200 ? 'decided' : body.code)

describe('an Idempotency-Key of a spend', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const transactionsOf = async (agentId: string) =>
    (await app.rows('select id from transactions where agent_id = $1', [agentId])).length

  test('gives 20 parallel duplicates one transaction and the same bytes', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const headers = aFreshKey()
    const fields = { metadata: { b: '2', a: 'ä😀', '1': 'x' }, hold: { expiresIn: '1h' } }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(acme, agentId, headers, fields)),
    )
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    const late = await send(acme, agentId, headers, fields)
    expect(isReplay(late)).toBe(true)
    expect(new Set([...answers, late].map(({ text }) => text)).size).toBe(1)
    expect(new Set([...answers, late].map((a) => a.headers['content-type'])).size).toBe(1)
    expect(await transactionsOf(agentId)).toBe(1)
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
  })

  test('repeats a rejection as well, also when the spend would pass by then', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 5 })
    const headers = aFreshKey()
    const first = await send(acme, agentId, headers)
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 50 }))
    const second = await send(acme, agentId, headers)
    expect([second.text, isReplay(second)]).toEqual([first.text, true])
    expect(first.text).toContain('budget_exceeded')
  })

  test('gives the first answer, whatever has become of the transaction since', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = aFreshKey()
    const fields = { hold: { expiresIn: '1h' } }
    const first = await send(acme, agentId, headers, fields)
    await change(acme, JSON.parse(first.text).transactionId, 'void')
    expect((await send(acme, agentId, headers, fields)).text).toBe(first.text)
    const headers2 = aFreshKey()
    const settled = await send(acme, agentId, headers2)
    await change(acme, JSON.parse(settled.text).transactionId, 'refund')
    expect((await send(acme, agentId, headers2)).text).toBe(settled.text)
  })

  test('is a conflict for another body, later and in the same moment', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = aFreshKey()
    await send(acme, agentId, headers, { amount: 1 })
    const later = await send(acme, agentId, headers, { amount: 2 })
    expect([later.status, later.body.code]).toEqual([409, 'idempotency_key_reused'])
    const fresh = aFreshKey()
    const answers = await Promise.all(
      [3, 4, 3].map((amount) => send(acme, agentId, fresh, { amount })),
    )
    expect(answers.map(outcomeOf)).toEqual(['decided', 'idempotency_key_reused', 'decided'])
    expect(await transactionsOf(agentId)).toBe(2)
  })

  test('is a conflict between a spend and whatever else its agent sends, both ways', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId], scopes: AGENT_SCOPES })
    const hold = { hold: { expiresIn: '1h' } }
    const [spends, settles] = [aFreshKey(), aFreshKey()]
    const { transactionId } = bodyOf(await send(client, agentId, spends, hold))
    const reused = await client.post(`/transactions/${transactionId}/settle`, undefined, spends)
    expect(outcomeOf(reused)).toBe('idempotency_key_reused')
    bodyOf(await client.post(`/transactions/${transactionId}/settle`, undefined, settles))
    expect(outcomeOf(await send(client, agentId, settles))).toBe('idempotency_key_reused')
    expect(await transactionsOf(agentId)).toBe(1)
  })

  test('belongs to its agent and its organization, whichever key of theirs is used', async () => {
    const { agentId } = await anActiveMandate(acme)
    const stranger = await app.organization('Stranger')
    const theirs = await anActiveMandate(stranger)
    const other = (await aKey(app, acme)).client
    const bound = (await aKey(app, acme, { agentIds: [agentId] })).client
    const headers = aFreshKey()
    const first = await send(acme, agentId, headers)
    for (const client of [other, bound]) {
      const again = await send(client, agentId, headers)
      expect([again.text, isReplay(again)]).toEqual([first.text, true])
    }
    const foreign = await send(stranger, theirs.agentId, headers)
    expect([foreign.status, isReplay(foreign)]).toEqual([200, false])
    expect(foreign.text).not.toBe(first.text)
  })

  test('is not kept for a spend that was not judged', async () => {
    const { id: agentId } = await anAgent(acme)
    const headers = aFreshKey()
    const { client } = await aKey(app, acme, { agentIds: [(await anAgent(acme)).id] })
    expect((await send(client, agentId, headers)).status).toBe(404)
    expect((await send(acme, agentId, headers, { amount: 0 })).status).toBe(400)
    const judged = await send(acme, agentId, headers)
    expect([judged.status, isReplay(judged)]).toEqual([200, false])
  })

  test('is free again after seven days, for the same and for another spend', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = aFreshKey()
    const start = Date.now()
    app.clock.now = start
    const first = await send(acme, agentId, headers)
    app.clock.now = start + 7 * DAY_MS - 1
    expect(isReplay(await send(acme, agentId, headers))).toBe(true)
    app.clock.now = start + 7 * DAY_MS
    const again = await send(acme, agentId, headers, { amount: 20 })
    expect([again.status, isReplay(again)]).toEqual([200, false])
    expect(again.text).not.toBe(first.text)
    expect(isReplay(await send(acme, agentId, headers, { amount: 20 }))).toBe(true)
    expect(await transactionsOf(agentId)).toBe(2)
  })

  test('is free for whatever else its agent sends after seven days, both ways', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId], scopes: AGENT_SCOPES })
    const [spends, settles] = [aFreshKey(), aFreshKey()]
    const hold = { hold: { expiresIn: '30d' } }
    app.clock.now = Date.now()
    const [one, two] = [
      bodyOf(await send(client, agentId, spends, hold)).transactionId,
      bodyOf(await send(client, agentId, aFreshKey(), hold)).transactionId,
    ]
    bodyOf(await client.post(`/transactions/${one}/settle`, undefined, settles))
    app.clock.now += 7 * DAY_MS
    const settled = await client.post(`/transactions/${two}/settle`, undefined, spends)
    expect([settled.status, isReplay(settled)]).toEqual([200, false])
    const spend = await send(client, agentId, settles)
    expect([spend.status, isReplay(spend)]).toEqual([200, false])
  })

  test.each(['', 'x'.repeat(256), 'ä', 'tab\t'])('is refused in the form %j', async (key) => {
    const answer = await acme.post('/gateway/evaluate', aSpend('x'), { 'idempotency-key': key })
    expect(answer.status).toBe(400)
  })
})

describeOnPostgres('the same Idempotency-Key at two gateways at the same moment', () => {
  let app: TestApp
  let other: TestApp
  let clients: readonly [Client, Client]
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp('postgres')
    other = await joinTestApp(app)
    acme = await app.organization()
    clients = [acme, other.client(acme.apiKey)]
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await other.stop()
    await app.stop()
    expect(broken).toEqual([])
  })

  const rowsOf = (key: Record<string, string>) =>
    app.rows(
      `select t.id from transactions t join idempotency_keys k on k.transaction_id = t.id
       where k.key = $1`,
      [key['idempotency-key']],
    )

  describe('decides once', () => {
    test('for an agent with a mandate', async () => {
      const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1_000 })
      for (let round = 1; round <= 20; round += 1) {
        const headers = aFreshKey()
        const answers = await Promise.all(clients.map((client) => send(client, agentId, headers)))
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
        expect(answers.filter(isReplay)).toHaveLength(1)
        expect(await rowsOf(headers)).toHaveLength(1)
        expect((await budgetOf(acme, id))[0]).toBe(round * 10)
      }
    })

    // Without a mandate there is no lock to wait for: both decide, and the key's index decides.
    test('for an agent without a mandate', async () => {
      const { id: agentId } = await anAgent(acme)
      for (let round = 1; round <= 20; round += 1) {
        const headers = aFreshKey()
        const answers = await Promise.all(clients.map((client) => send(client, agentId, headers)))
        expect(answers.map(outcomeOf)).toEqual(['decided', 'decided'])
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
        expect(await rowsOf(headers)).toHaveLength(1)
      }
      const rows = await app.rows('select 1 from transactions where agent_id = $1', [agentId])
      expect(rows).toHaveLength(20)
    })

    test('for each of two agents', async () => {
      const mandates = [await anActiveMandate(acme), await anActiveMandate(acme)]
      for (let round = 1; round <= 10; round += 1) {
        const headers = aFreshKey()
        const answers = await Promise.all(
          clients.map((client, n) =>
            send(client, mandates[n]?.agentId ?? '', headers, { amount: 1 }),
          ),
        )
        expect(answers.map(outcomeOf)).toEqual(['decided', 'decided'])
        expect(await rowsOf(headers)).toHaveLength(2)
      }
    })

    test('among other spends in the same batches, none of which is harmed', async () => {
      const mandates = await Promise.all(Array.from({ length: 10 }, () => anActiveMandate(acme)))
      const headers = aFreshKey()
      const { id: idle } = await anAgent(acme)
      const answers = await Promise.all(
        clients.flatMap((client, n) => [
          ...mandates
            .slice(n * 5, n * 5 + 5)
            .map(({ agentId }) => send(client, agentId, aFreshKey())),
          send(client, idle, headers),
        ]),
      )
      expect(answers.map(outcomeOf)).toEqual(Array(12).fill('decided'))
      expect(await rowsOf(headers)).toHaveLength(1)
      const spent = await Promise.all(mandates.map(({ id }) => budgetOf(acme, id)))
      expect(spent).toEqual(Array(10).fill([10, 0, 90]))
    })
  })

  test('for a spend and for a settlement of the same agent lets one of them through', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { key } = await aKey(app, acme, { agentIds: [agentId], scopes: AGENT_SCOPES })
    const [first, second] = [app.client(key.apiKey), other.client(key.apiKey)]
    for (let round = 1; round <= 10; round += 1) {
      const headers = aFreshKey()
      const hold = await evaluate(acme, agentId, { amount: 1, hold: { expiresIn: '1h' } })
      const answers = await Promise.all([
        first.post(`/transactions/${hold.transactionId}/settle`, undefined, headers),
        send(second, agentId, headers, { amount: 1 }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test('answers a repeat that came while the first was still being decided', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const headers = aFreshKey()
    const answers = await app.database.db.transaction(async (tx) => {
      const values = [toUuid('mnd', id)]
      await tx.query({ text: 'select 1 from mandates where id = $1 for update', values })
      return { pending: Promise.all(clients.map((client) => send(client, agentId, headers))) }
    })
    const texts = (await answers.pending).map(({ text }) => text)
    expect(new Set(texts).size).toBe(1)
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ decision: 'approved', remainingBudget: 90 })
    expect((await evaluate(acme, agentId)).remainingBudget).toBe(80)
  })
})
