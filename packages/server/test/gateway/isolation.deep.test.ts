import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { newId } from '../../src/storage/new-id.ts'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { startChild } from '../support/child-process.ts'
import { describeOnPostgres } from '../support/database.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { countLockWaits, lockMandateRow } from '../support/row-lock.ts'
import { silentLog } from '../support/silent-log.ts'
import { budgetOf } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

/** The state of a process, as the kernel tells it: T is stopped. */
function isStopped(pid: number): boolean {
  return / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

describeOnPostgres('an organization', () => {
  let app: TestApp
  /** Somebody else on the same database. */
  let outside: Database
  let acme: Owner
  let globex: Owner

  beforeEach(async () => {
    app = await createTestApp('postgres')
    outside = await openPostgres({ url: app.database.url, connectionsMax: 12 }, silentLog)
    acme = await app.organization('Acme')
    globex = await app.organization('Globex')
  })
  afterEach(async () => {
    await outside.close()
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const evaluate = (owner: Owner, agentId: string, amount = 0.1): Promise<Answer> =>
    owner.post('/gateway/evaluate', { agentId, amount, vendor: 'a.example', category: 'test' })

  /** Whoever waits for a lock for 10 s is told to come again, and does. */
  async function evaluateUntilDone(owner: Owner, agentId: string): Promise<Answer> {
    const answer = await evaluate(owner, agentId)
    return answer.status === 503 ? evaluateUntilDone(owner, agentId) : answer
  }

  test('is decided while a row of another one is locked', async () => {
    const stuck = await anActiveMandate(acme)
    const { agentId } = await anActiveMandate(globex)
    const { release } = await lockMandateRow(outside, stuck.id)
    const isDone = { acme: false }
    const waiting = evaluateUntilDone(acme, stuck.agentId).finally(() => {
      isDone.acme = true
    })
    await waitUntil(async () => (await countLockWaits(outside)) > 0)

    const answers = await Promise.all(
      Array.from({ length: 25 }, () => evaluate(globex, agentId, 1)),
    )
    for (let count = 0; count < 25; count += 1) answers.push(await evaluate(globex, agentId, 1))
    expect(answers.map(({ body }) => body.decision)).toEqual(answers.map(() => 'approved'))
    expect(isDone.acme).toBe(false)
    await release()
    expect(bodyOf(await waiting).decision).toBe('approved')
  })

  test('is decided while rows of six others are locked', async () => {
    const { agentId } = await anActiveMandate(globex)
    let ended = 0
    const locks: { release(): Promise<void> }[] = []
    const waiting: Promise<Answer>[] = []
    for (let count = 1; count <= 6; count += 1) {
      const owner = await app.organization('Stuck')
      const stuck = await anActiveMandate(owner)
      locks.push(await lockMandateRow(outside, stuck.id))
      const answer = evaluateUntilDone(owner, stuck.agentId)
      waiting.push(
        answer.finally(() => {
          ended += 1
        }),
      )
      await waitUntil(async () => (await countLockWaits(outside)) === count)
    }
    expect(bodyOf(await evaluate(globex, agentId)).decision).toBe('approved')
    expect(ended).toBe(0)
    for (const { release } of locks) await release()
    const answers = await Promise.all(waiting)
    expect(answers.map(({ body }) => body.decision)).toEqual(answers.map(() => 'approved'))
  })

  test('reads, changes and decides while many changes of another one wait for a lock', async () => {
    const stuck = await anActiveMandate(acme)
    const { agentId, id } = await anActiveMandate(globex)
    const { release } = await lockMandateRow(outside, stuck.id)
    let changed = 0
    const waiting = Array.from({ length: 30 }, async () => {
      const answer = await acme.patch(`/mandates/${stuck.id}`, { name: 'Another name' })
      changed += Number(answer.status === 200)
      return answer
    })
    await waitUntil(async () => (await countLockWaits(outside)) > 0)
    const answers = [
      await evaluate(globex, agentId),
      await globex.get(`/mandates/${id}`),
      await globex.patch(`/mandates/${id}`, { name: 'Research' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(changed).toBe(0)
    await release()
    // Whoever waited for seconds was told to come again.
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status)
  })

  test('is known and decided while many changes of four others wait for locks', async () => {
    const { agentId } = await anActiveMandate(globex)
    const locks: { release(): Promise<void> }[] = []
    const waiting: Promise<Answer>[] = []
    let ended = 0
    for (let count = 0; count < 4; count += 1) {
      const owner = await app.organization('Stuck')
      const { id } = await anActiveMandate(owner)
      locks.push(await lockMandateRow(outside, id))
      for (let sent = 0; sent < 4; sent += 1) {
        const answer = owner.patch(`/mandates/${id}`, { name: 'Another name' })
        waiting.push(
          answer.finally(() => {
            ended += 1
          }),
        )
      }
      await waitUntil(async () => (await countLockWaits(outside)) > count)
    }
    // Each of them keeps one, and the first ones that came keep several.
    await waitUntil(async () => (await countLockWaits(outside)) >= 8)
    // By then its key is looked up again.
    app.clock.now = Date.now() + 10_000
    expect(bodyOf(await evaluate(globex, agentId)).decision).toBe('approved')
    expect(ended).toBe(0)
    for (const { release } of locks) await release()
    await Promise.all(waiting)
  })

  test('with a deadline is decided while a row of another one is locked', async () => {
    const stuck = await anActiveMandate(acme)
    const { agentId } = await anActiveMandate(globex)
    const { release } = await lockMandateRow(outside, stuck.id)
    const gateway = createPathGateway(app)
    const aHold = (owner: Owner, id: string, key: string) =>
      aSubmission(
        owner,
        id,
        { holdMs: HOUR_MS },
        { answerBy: performance.now() + HOUR_MS, idempotency: anIdempotencyKey(id, key) },
      )
    const isDone = { acme: false }
    const waiting = gateway.decide(aHold(acme, stuck.agentId, 'stuck')).finally(() => {
      isDone.acme = true
    })
    await waitUntil(async () => (await countLockWaits(outside)) > 0)
    for (const key of ['1', '2', '3']) {
      const decided = await gateway.decide(aHold(globex, agentId, key))
      expect([decided.decision, isDone.acme]).toEqual(['approved', false])
    }
    await release()
    expect(await waiting).toMatchObject({ decision: 'approved' })
    await gateway.stop()
  })

  test('is told once when a lock could not be had: nothing is repeated job by job', async () => {
    const { agentId } = await anActiveMandate(acme)
    await app.rows(`create function is_locked() returns trigger language plpgsql as
                    $$ begin raise exception 'locked' using errcode = '55P03'; end $$`)
    await app.rows(`create trigger locked before insert on transactions
                    for each row execute function is_locked()`)
    const sent: string[] = []
    const gateway = createPathGateway(
      app,
      watchDatabase(app.database.db, (text) => sent.push(text)),
    )
    const asked = [1, 2, 3].map(() => gateway.decide(aSubmission(acme, agentId)))
    const codes = (await Promise.allSettled(asked)).map(
      (result) => result.status === 'rejected' && result.reason.code,
    )
    expect(codes).toEqual(['storage_unavailable', 'storage_unavailable', 'storage_unavailable'])
    expect(sent.filter((text) => text.includes('insert into transactions'))).toHaveLength(1)
    await gateway.stop()
    await app.rows('drop trigger locked on transactions')
  })

  test('is held up for seconds by a process that was stopped in mid-batch, and not for longer', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const transactionId = newId(Date.now())
    const parameters = [app.database.url, acme.organizationId, agentId, transactionId]
    const child = startChild(new URL('held-gateway.ts', import.meta.url), parameters)
    const told = child.waitForLine(() => true)
    await waitUntil(() => isStopped(child.pid))
    // A lock is waited for at most 10 s: this is decided only if the stopped one loses it before.
    const answer = await evaluate(acme, agentId, 1)
    expect([bodyOf(answer).decision, isStopped(child.pid)]).toEqual(['approved', true])

    // What it had begun was rolled back. It is told so, and decides again.
    process.kill(child.pid, 'SIGCONT')
    expect(await told).toMatch(/^(approved|storage_unavailable)$/)
    await child.waitForExit()
    const rows = await app.rows('select 1 from transactions where id = $1', [transactionId])
    expect(rows).toHaveLength((await told) === 'approved' ? 1 : 0)
    expect((await budgetOf(acme, id))[0]).toBe(rows.length * 10 + 1)
  })

  test('waits for a few batches of another one that has sent thousands, and not for all of them', async () => {
    const flooding = await Promise.all(
      Array.from({ length: 20 }, () => anActiveMandate(acme, { budgetTotal: 1_000 })),
    )
    const { agentId } = await anActiveMandate(globex)
    const gateway = createPathGateway(app)
    let decided = 0
    const flood = Array.from({ length: 3_000 }, (_, index) =>
      gateway
        .decide(aSubmission(acme, flooding[index % flooding.length]?.agentId ?? ''))
        .then(() => {
          decided += 1
        }),
    )
    await waitUntil(() => decided > 0)
    const before = decided
    await gateway.decide(aSubmission(globex, agentId))
    const meanwhile = decided - before
    expect(decided).toBeLessThan(3_000)
    // It does not wait for them, but its own first decision takes as long as a few of their batches.
    expect(meanwhile).toBeLessThanOrEqual(5 * 256)
    await Promise.all(flood)
    await gateway.stop()
  })
})
