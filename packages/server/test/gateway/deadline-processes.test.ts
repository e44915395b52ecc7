import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../src/errors.ts'
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
    const { key, submission, told, goOn } = await withTimeEnough(async (withinMs) => {
      const key = `stalled-${withinMs}`
      const submission = aHold(agentId, withinMs, key)
      const goOn = proxy.stallAnswerTo('commit')
      const told = await stalling.decide(submission)
      if ((await stored(submission))?.['status'] === 'held') return { key, submission, told, goOn }
      goOn()
      return undefined
    })
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

  test('leaves no approval behind when the connection is lost with the answer to its commit', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const submission = aHold(agentId, HOUR_MS, 'lost')
    proxy.cutAnswerTo('commit')
    const error = await stalling.decide(submission).catch((reason: unknown) => reason)
    expect(error instanceof Problem && error.code).toBe('storage_unavailable')
    await waitUntil(async () => (await stored(submission))?.['code'] === 'deadline_passed')
    const repeat = await other.decide(aHold(agentId, HOUR_MS, 'lost'))
    expect(repeat).toMatchObject({ decision: 'rejected', code: 'deadline_passed' })
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
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
      const transactionId = newId()
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
