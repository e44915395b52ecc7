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
import { describeOnEveryEngine, describeOnPostgres } from '../../support/database.ts'
import { aSpend, budgetOf, change, evaluate } from '../../support/spends.ts'

let counter = 0
const aFreshKey = () => ({ 'idempotency-key': `{spend} "${counter++}", \\ of this file` })

const send = (client: Client, agentId: string, headers: Record<string, string>, fields = {}) =>
  client.post('/gateway/evaluate', aSpend(agentId, fields), headers)

const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

const outcomeOf = ({ status, body }: Answer) => (status === 200 ? 'decided' : body.code)

describeOnEveryEngine('an Idempotency-Key of a spend', (engine) => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(engine)
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

  test('is a conflict between a spend and any other endpoint, both ways', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [agents, spends] = [aFreshKey(), aFreshKey()]
    bodyOf(await acme.post('/agents', { name: 'First' }, agents))
    expect(outcomeOf(await send(acme, agentId, agents))).toBe('idempotency_key_reused')
    bodyOf(await send(acme, agentId, spends))
    const reused = await acme.post('/agents', { name: 'Second' }, spends)
    expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused'])
    expect(await transactionsOf(agentId)).toBe(1)
  })

  test('belongs to its API key, and to its organization', async () => {
    const { agentId } = await anActiveMandate(acme)
    const stranger = await app.organization('Stranger')
    const theirs = await anActiveMandate(stranger)
    const other = (await aKey(app, acme)).client
    const headers = aFreshKey()
    const first = await send(acme, agentId, headers)
    expect(outcomeOf(await send(other, agentId, headers))).toBe('idempotency_key_reused')
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

  test('is free for any other endpoint after seven days, both ways', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [spends, agents] = [aFreshKey(), aFreshKey()]
    app.clock.now = Date.now()
    bodyOf(await send(acme, agentId, spends))
    bodyOf(await acme.post('/agents', { name: 'First' }, agents))
    app.clock.now += 7 * DAY_MS
    const second = await acme.post('/agents', { name: 'Second' }, spends)
    expect([second.status, isReplay(second)]).toEqual([200, false])
    const spend = await send(acme, agentId, agents)
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

    test('for two agents: one spend is decided, the other is told that the key is taken', async () => {
      const mandates = [await anActiveMandate(acme), await anActiveMandate(acme)]
      for (let round = 1; round <= 10; round += 1) {
        const headers = aFreshKey()
        const answers = await Promise.all(
          clients.map((client, n) =>
            send(client, mandates[n]?.agentId ?? '', headers, { amount: 1 }),
          ),
        )
        expect(answers.map(outcomeOf).sort()).toEqual(['decided', 'idempotency_key_reused'])
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

  test('for a spend and for another endpoint lets one of them through', async () => {
    const { agentId } = await anActiveMandate(acme)
    for (let round = 1; round <= 10; round += 1) {
      const headers = aFreshKey()
      const answers = await Promise.all([
        clients[0].post('/agents', { name: 'Agent' }, headers),
        send(clients[1], agentId, headers, { amount: 1 }),
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
