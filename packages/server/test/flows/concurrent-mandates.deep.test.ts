import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import {
  type Answer,
  createTestApp,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../support/app.ts'
import { aDraft, anActiveMandate, anAgent, bodyOf, DAY_MS, statusOf } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { STAYS_OPEN } from '../support/row-lock.ts'
import { waitUntil } from '../support/wait-until.ts'

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)

function repeat<T>(times: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => make(index)))
}

describeOnPostgres('mandates that are changed at once', () => {
  let app: TestApp
  let other: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp('postgres')
    other = await joinTestApp(app)
    acme = await app.organization()
  })
  afterAll(async () => {
    await other.stop()
    await app.stop()
  })

  test('of 20 drafts of one agent exactly one becomes active', async () => {
    const { id: agentId } = await anAgent(acme)
    const drafts = await repeat(20, () => aDraft(acme, { agentId }))
    const second = other.client(acme.apiKey)
    const answers = await Promise.all(
      drafts.map(({ id }, index) =>
        (index % 2 === 0 ? acme : second).post(`/mandates/${id}/activate`),
      ),
    )
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost).toHaveLength(19)
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 mandate_conflict']),
    )
    const { data } = bodyOf(await acme.get(`/mandates?agentId=${agentId}&status=active`))
    expect(data).toHaveLength(1)
  })

  test('of 20 drafts exactly one follows a mandate whose time is over', async () => {
    const validUntil = new Date(Date.now() + DAY_MS).toISOString()
    const { agentId } = await anActiveMandate(acme, { validUntil })
    const drafts = await repeat(20, () => aDraft(acme, { agentId }))
    app.clock.now = Date.now() + 2 * DAY_MS
    const answers = await Promise.all(drafts.map(({ id }) => acme.post(`/mandates/${id}/activate`)))
    app.clock.now = undefined
    expect(statusesOf(answers).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('one draft that is activated 10 times is activated once', async () => {
    const { id } = await aDraft(acme)
    const answers = await repeat(10, () => acme.post(`/mandates/${id}/activate`))
    expect(statusesOf(answers).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('no child is active after its parent was revoked while children were activated', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = await anActiveMandate(acme)
      const children = await repeat(6, () => aDraft(acme, { parentMandateId: parent.id }))
      const activations = children.map(({ id }) => acme.post(`/mandates/${id}/activate`))
      const revoked = acme.post(`/mandates/${parent.id}/revoke`)
      expect((await revoked).status).toBe(200)
      for (const { status, body } of await Promise.all(activations)) {
        if (status !== 200) expect([status, body.code]).toEqual([409, 'parent_not_active'])
      }
      const statuses = await Promise.all(children.map(({ id }) => statusOf(acme, id)))
      expect(statuses).not.toContain('active')
    }
  })

  test.each(['the mandate', 'its child'])(
    'what appears below %s while the mandate waits to be revoked is revoked with it',
    async (below) => {
      const top = await anActiveMandate(acme)
      const child = await anActiveMandate(acme, { parentMandateId: top.id })
      const late = await anActiveMandate(acme)
      const parentId = toUuid('mnd', below === 'its child' ? child.id : top.id)
      const revoking = await app.database.db.transaction(async (tx) => {
        await tx.query(STAYS_OPEN)
        const lock = 'select 1 from mandates where id = $1 for update'
        await tx.query({ text: lock, values: [parentId] })
        const answer = acme.post(`/mandates/${top.id}/revoke`)
        await waitUntil(isSomebodyWaiting)
        const move = 'update mandates set parent_id = $2 where id = $1'
        await tx.query({ text: move, values: [toUuid('mnd', late.id), parentId] })
        return { answer }
      })
      expect((await revoking.answer).status).toBe(200)
      expect(await statusOf(acme, late.id)).toBe('revoked')
    },
  )

  async function isSomebodyWaiting(): Promise<boolean> {
    const rows = await other.rows(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }

  test('20 changes of one mandate make 20 versions in a row, none lost', async () => {
    const { id } = await anActiveMandate(acme)
    const answers = await repeat(20, (n) =>
      n % 2 === 0
        ? acme.patch(`/mandates/${id}`, { name: `Name ${n}` })
        : acme.patch(`/mandates/${id}/budget`, { budgetTotal: 200 + n }),
    )
    const versions = answers.map((answer) => bodyOf(answer).version).sort((a, b) => a - b)
    expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 2))
    const { data } = bodyOf(await acme.get(`/mandates/${id}/versions`))
    expect(data.map(({ version }) => version)).toEqual([...versions.reverse(), 1])
    expect(data.slice(0, -1).every(({ changes }) => changes.length === 1)).toBe(true)
  })

  test('no agent is deleted and keeps a mandate that was activated meanwhile', async () => {
    const agents = await repeat(15, () => anAgent(acme))
    const drafts = await Promise.all(agents.map(({ id }) => aDraft(acme, { agentId: id })))
    const second = other.client(acme.apiKey)
    await Promise.all(
      drafts.flatMap(({ id, agentId }) => [
        second.post(`/mandates/${id}/activate`),
        acme.delete(`/agents/${agentId}`),
      ]),
    )
    const left = await app.rows(
      `select 1 from mandates m join agents a on a.id = m.agent_id
       where a.deleted_at is not null and m.status in ('active', 'draft')`,
    )
    expect(left).toEqual([])
  })

  test('a draft is never deleted under a child that is made at the same moment', async () => {
    const parents = await repeat(10, () => aDraft(acme))
    const { id: agentId } = await anAgent(acme)
    const answers = await Promise.all(
      parents.flatMap(({ id }) => [
        acme.post('/mandates', { agentId, budgetTotal: 1, parentMandateId: id }),
        acme.delete(`/mandates/${id}`),
      ]),
    )
    for (let n = 0; n < answers.length; n += 2) {
      const pair = statusesOf(answers.slice(n, n + 2)).join()
      expect(['200,409', '404,200']).toContain(pair)
    }
  })

  test('a tree that is changed from all sides never deadlocks and never answers 5xx', async () => {
    const ids = [(await anActiveMandate(acme)).id]
    const agents = await repeat(6, () => anAgent(acme))
    const clients = [acme, other.client(acme.apiKey)]
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    const seen = new Map<number, number>()

    async function act(dice: readonly number[]): Promise<void> {
      const [kind = 0, which = 0, who = 0, side = 0] = dice
      const client = clients[side % 2] ?? acme
      const id = ids[which % ids.length]
      const agentId = agents[who % agents.length]?.id
      const actions = [
        () => client.post('/mandates', { agentId, budgetTotal: 1, parentMandateId: id }),
        () => client.post('/mandates', { agentId, budgetTotal: 50 }),
        () => client.post(`/mandates/${id}/activate`),
        () => client.post(`/mandates/${id}/activate`),
        () => client.patch(`/mandates/${id}`, { validUntil: inDays(1 + (who % 20)) }),
        () => client.patch(`/mandates/${id}/budget`, { budgetTotal: 1 + (who % 50) }),
        () => client.post(`/mandates/${id}/revoke`),
        () => client.delete(`/mandates/${id}`),
        () => (who % 5 === 0 ? client.delete(`/agents/${agentId}`) : client.get('/mandates')),
      ]
      const answer = await actions[kind % actions.length]?.()
      if (!answer) return
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      expect(answer.status, answer.text).toBeLessThan(500)
      if (answer.status === 200 && kind % actions.length < 2) ids.push(answer.body.id)
    }

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), {
          minLength: 30,
          maxLength: 60,
        }),
        async (script) => {
          const queue = [...script]
          const worker = async () => {
            for (let next = queue.pop(); next; next = queue.pop()) await act(next)
          }
          await repeat(10, worker)
          const fresh = await anAgent(acme)
          agents.splice(Math.floor(script.length % agents.length), 1, fresh)
        },
      ),
      { numRuns: 12, endOnFailure: true },
    )
    expect(seen.get(200)).toBeGreaterThan(20)
    const orphans = await app.rows(
      `select 1 from mandates child join mandates parent on parent.id = child.parent_id
       where child.status = 'active' and parent.status <> 'active'`,
    )
    expect(orphans).toEqual([])
  })
})
