import assert from 'node:assert/strict'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerBody } from '../support/answer-body.ts'
import {
  type Answer,
  createTestApp,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aHold, aSpend } from '../support/spends.ts'

describeOnPostgres('locks on mandates', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  /** As if each parent had been created by a process whose clock ran ahead of the next one's. */
  async function aLineOfDescendingIds() {
    const start = Date.now()
    const line: AnswerBody[] = []
    for (const depth of [0, 1, 2]) {
      app.clock.now = start - depth * 10_000
      const parentMandateId: string | undefined = line.at(-1)?.id
      const budgetTotal = 1_000 - 200 * depth
      line.push(await anActiveMandate(acme, { budgetTotal, parentMandateId }))
    }
    app.clock.now = undefined
    const [top, middle, leaf] = line
    assert(top && middle && leaf)
    expect([middle.id < top.id, leaf.id < middle.id]).toEqual([true, true])
    return { top, middle, leaf }
  }

  test('are taken from the top down, whatever the ids are, so nothing deadlocks', async () => {
    const { top, middle, leaf } = await aLineOfDescendingIds()
    const others = [await joinTestApp(app), await joinTestApp(app)]
    const holds = await Promise.all(Array.from({ length: 20 }, () => aHold(acme, leaf.agentId, 1)))
    const [one, two] = others.map((other) => other.client(acme.apiKey))
    assert(one && two)
    const answers: Answer[] = []
    for (const [round, { transactionId }] of holds.entries()) {
      const asked = [leaf, middle, top].map(({ agentId }) =>
        one.post('/gateway/evaluate', aSpend(agentId, { amount: 1 })),
      )
      asked.push(
        two.post('/gateway/evaluate', aSpend(leaf.agentId, { amount: 1 })),
        two.patch(`/mandates/${top.id}`, { name: `Top ${round}` }),
        one.patch(`/mandates/${middle.id}/budget`, { budgetTotal: 800 - round }),
        two.patch(`/mandates/${leaf.id}`, { name: `Leaf ${round}` }),
        one.post(`/transactions/${transactionId}/${round % 2 === 0 ? 'settle' : 'void'}`),
      )
      answers.push(...(await Promise.all(asked)))
    }
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    // A connection that ends has reported what happened on it.
    for (const other of others) await other.stop()
    const [row] = await app.rows<{ deadlocks: bigint }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    expect(row?.deadlocks).toBe(0n)
  })

  /** Ends so many tries to change an agent as the database ends one that deadlocks. */
  async function deadlock(times: number): Promise<void> {
    await app.rows(`
      drop sequence if exists tries;
      create sequence tries;
      create or replace function stand_in_the_way() returns trigger language plpgsql as $$
        begin
          if nextval('tries') <= ${times} then
            raise exception 'deadlock detected' using errcode = '40P01';
          end if;
          return new;
        end $$;
      create or replace trigger stands_in_the_way before update of deleted_at, name on agents
        for each row execute function stand_in_the_way()`)
  }

  const triesOf = async (): Promise<unknown> =>
    (await app.rows<{ tries: bigint }>('select last_value as tries from tries'))[0]?.tries

  test('that deadlock with somebody else make a change run again', async () => {
    const { agentId } = await anActiveMandate(acme)
    await deadlock(2)
    const headers = { 'idempotency-key': 'a-rename' }
    const renamed = await acme.patch(`/agents/${agentId}`, { name: 'Another' }, headers)
    expect([renamed.status, renamed.body.name, await triesOf()]).toEqual([200, 'Another', 3n])
    await deadlock(2)
    const deleted = await acme.delete(`/agents/${agentId}`)
    expect([deleted.status, await triesOf()]).toEqual([200, 3n])
  })

  test('that deadlock again and again end in a request to come back', async () => {
    const { agentId } = await anActiveMandate(acme)
    await deadlock(100)
    const answer = await acme.patch(`/agents/${agentId}`, { name: 'Another' })
    expect([answer.status, answer.body.code, await triesOf()]).toEqual([
      503,
      'storage_unavailable',
      5n,
    ])
  })
})
