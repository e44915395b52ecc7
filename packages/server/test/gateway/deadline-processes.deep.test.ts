import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { Submission } from '../../src/gateway/submission.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { newId } from '../../src/storage/new-id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, HOUR_MS } from '../support/builders.ts'
import { startChild } from '../support/child-process.ts'
import { describeOnPostgres } from '../support/database.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { silentLog } from '../support/silent-log.ts'
import { budgetOf } from '../support/spends.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

/** The state of a process, as the kernel tells it: T is stopped. */
function isStopped(pid: number): boolean {
  return / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

/** One gateway reaches the database through a proxy, the other straight. */
describeOnPostgres('a spend with a deadline, at two gateways', () => {
  let app: TestApp
  let acme: Owner
  let proxy: TcpProxy
  let db: Database
  let stalling: Gateway
  let other: Gateway

  beforeEach(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
    proxy = await startTcpProxy(app.database.url)
    db = await openPostgres({ url: proxy.url }, silentLog)
    stalling = createPathGateway(app, db)
    other = createPathGateway(app)
  })
  afterEach(async () => {
    await stalling.stop()
    await other.stop()
    await db.close()
    await proxy.close()
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const aHold = (agentId: string, withinMs: number, key: string): Submission =>
    aSubmission(
      acme,
      agentId,
      { holdMs: HOUR_MS },
      {
        answerBy: performance.now() + withinMs,
        idempotency: anIdempotencyKey(agentId, key),
      },
    )
  const stored = async ({ spend }: Submission) => {
    const text = 'select decision, status, code from transactions where id = $1'
    const [row] = await app.rows<Record<string, string>>(text, [spend.transactionId])
    return row
  }

  test('is never told approved by the other while the first has yet to hear of its commit', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { key, submission, told, goOn } = await aStalledApproval(agentId)
    expect(told).toMatchObject({ decision: 'rejected', code: 'deadline_passed' })

    // It is stored as approved, and its caller was told no: nobody else may be told yes.
    const meanwhile = await other.decide(aHold(agentId, 300, key))
    expect(meanwhile).toMatchObject({ decision: 'rejected', code: 'deadline_passed' })

    goOn()
    await waitUntil(async () => (await stored(submission))?.['status'] === 'voided')
    const later = await other.decide(aHold(agentId, HOUR_MS, key))
    expect([later.decision, later.details, later.id]).toEqual([
      told.decision,
      told.details,
      told.id,
    ])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('is told by the other what the first was told, when both ask at once', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    for (let round = 1; round <= 10; round += 1) {
      const answers = await Promise.all(
        [stalling, other, stalling, other].map((gateway) =>
          gateway.decide(aHold(agentId, HOUR_MS, `round-${round}`)),
        ),
      )
      expect(new Set(answers.map((answer) => answer.details)).size).toBe(1)
      expect((await budgetOf(acme, id))[0]).toBe(round * 10)
    }
  })

  test('is told what was stored when only the answer to its commit was lost', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const submission = aHold(agentId, HOUR_MS, 'lost')
    proxy.cutAnswerTo('commit')
    expect(await stalling.decide(submission)).toMatchObject({ decision: 'approved' })
    expect(await stored(submission)).toMatchObject({ status: 'held' })
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
  })

  test('is decided when the database was away for a moment, and there is time', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    proxy.goAway()
    const decided = stalling.decide(aHold(agentId, HOUR_MS, 'moment'))
    await waitUntil(() => proxy.refused > 0)
    proxy.comeBack()
    expect(await decided).toMatchObject({ decision: 'approved' })
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
  })

  /** An approval that is committed, whose process was told nothing and has told no. */
  async function aStalledApproval(agentId: string) {
    return withTimeEnough(async (withinMs) => {
      const key = `stalled-${withinMs}`
      const submission = aHold(agentId, withinMs, key)
      const goOn = proxy.stallAnswerTo('commit')
      const told = await stalling.decide(submission)
      if ((await stored(submission))?.['status'] === 'held') return { key, submission, told, goOn }
      goOn()
      return undefined
    })
  }

  test('is told to nobody without a deadline either while it may be taken back', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { key, goOn } = await aStalledApproval(agentId)
    const idempotency = anIdempotencyKey(agentId, key)
    const asked = [
      other.recall(acme.organizationId, idempotency),
      other.decide(aSubmission(acme, agentId, { holdMs: HOUR_MS }, { idempotency })),
    ]
    const codes = (await Promise.allSettled(asked)).map(
      (result) => result.status === 'rejected' && result.reason.code,
    )
    expect(codes).toEqual(['idempotency_in_flight', 'idempotency_in_flight'])
    goOn()
  })

  test('says that the database was away, where it could not be reached', async () => {
    const { agentId } = await anActiveMandate(acme)
    proxy.goAway()
    const told = await withTimeEnough(async (withinMs) => {
      const decided = await stalling.decide(aHold(agentId, withinMs, `away-${withinMs}`))
      // Before the first try has failed, nobody can know.
      return decided.late === 'away' ? decided : undefined
    })
    expect(told).toMatchObject({ decision: 'rejected', code: 'deadline_passed' })
    proxy.comeBack()
  })

  test('stands when a repeat was told of it before it could be taken back', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { key, submission, told, goOn } = await aStalledApproval(agentId)
    expect(told.decision).toBe('rejected')
    // The connection that has the key is lost, and with it the key.
    proxy.goAway()
    await waitUntil(async () => {
      const repeat = await other.decide(aHold(agentId, HOUR_MS, key))
      return repeat.decision === 'approved'
    })
    goOn()
    proxy.comeBack()
    await stalling.stop()
    expect(await stored(submission)).toMatchObject({ status: 'held', code: 'approved' })
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
  })

  test('is taken back when its commit arrives after its connection was given up', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    await app.rows('create table slow (id uuid primary key, seconds float)')
    await app.rows(`create function stall() returns trigger language plpgsql as
                    $$ begin perform pg_sleep(new.seconds); return null; end $$`)
    await app.rows(`create constraint trigger stalls after insert on slow
                    deferrable initially deferred for each row execute function stall()`)
    const submission = await withTimeEnough(async (withinMs) => {
      const plain = aHold(agentId, withinMs, `given-up-${withinMs}`)
      const submission: Submission = {
        ...plain,
        alongside: ({ id, decision }) => {
          const values = [id, withinMs / 1_000 + 3]
          const text = 'insert into slow values ($1, $2) on conflict do nothing'
          return decision === 'approved' ? [{ text, values }] : []
        },
      }
      await stalling.decide(submission)
      const text = `select 1 from pg_stat_activity
                    where datname = current_database() and wait_event = 'PgSleep'`
      const isCommitting = (await app.rows(text)).length > 0
      // The server goes on with the commit, although nobody listens any more.
      proxy.goAway()
      proxy.comeBack()
      return isCommitting ? submission : undefined
    })
    await waitUntil(async () => (await stored(submission))?.['code'] === 'deadline_passed')
    expect((await budgetOf(acme, id))[0]).toBe(0)
  })

  test('is declined in time when the database is away, and recorded when it is back', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    await stalling.decide(aSubmission(acme, agentId))
    const goOn = proxy.stallAnswerTo('begin')
    const submission = aHold(agentId, 200, 'away')
    expect(await stalling.decide(submission)).toMatchObject({ code: 'deadline_passed' })
    proxy.goAway()
    goOn()
    proxy.comeBack()
    await waitUntil(async () => (await stored(submission))?.['code'] === 'deadline_passed')
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
  })

  test('is declined by a process that was stopped between its round trips', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId, line } = await withTimeEnough(async (withinMs) => {
      const transactionId = newId(Date.now())
      const { url } = app.database
      const parameters = [url, acme.organizationId, agentId, transactionId, String(withinMs)]
      const child = startChild(new URL('stopped-gateway.ts', import.meta.url), parameters)
      const told = child.waitForLine(() => true)
      await Promise.race([told, waitUntil(() => isStopped(child.pid))])
      const resumed = setTimeout(() => process.kill(child.pid, 'SIGCONT'), withinMs)
      const line = await told
      clearTimeout(resumed)
      await child.waitForExit()
      return line.startsWith('true') ? { transactionId, line } : undefined
    })
    expect(line).toBe('true rejected deadline_passed')
    const text = 'select decision, status, code from transactions where id = $1'
    expect(await app.rows(text, [transactionId])).toEqual([
      { decision: 'rejected', status: 'rejected', code: 'deadline_passed' },
    ])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('costs those without a deadline nothing: no statement is sent for it', async () => {
    const { agentId } = await anActiveMandate(acme)
    const sent: string[] = []
    const gateway = createPathGateway(
      app,
      watchDatabase(app.database.db, (text) => sent.push(text)),
    )
    const hasLocked = () => sent.some((text) => text.includes('pg_try_advisory_lock'))
    const idempotency = anIdempotencyKey(agentId, 'plain')
    await gateway.decide(aSubmission(acme, agentId, {}, { idempotency }))
    expect([sent.length > 0, hasLocked()]).toEqual([true, false])
    await gateway.decide(aHold(agentId, HOUR_MS, 'hurried'))
    expect(hasLocked()).toBe(true)
    await gateway.stop()
  })
})
