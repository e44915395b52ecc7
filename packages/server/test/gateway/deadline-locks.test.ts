import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database, Session } from '../../src/storage/engine/database.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, HOUR_MS } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { countAdvisoryLocks } from '../support/row-lock.ts'
import { waitUntil } from '../support/wait-until.ts'

describeOnPostgres('the key of a spend with a deadline', () => {
  let app: TestApp
  let acme: Owner

  beforeEach(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
  })
  afterEach(() => app.stop())

  /** The same database, on whose connections locks cannot be given back. */
  function withoutUnlock(db: Database): Database {
    const broken = (session: Session): Session => ({
      ...session,
      query: (statement) =>
        statement.text.includes('unlock')
          ? Promise.reject(new Error('The unlock was lost.'))
          : session.query(statement),
    })
    return {
      ...db,
      transaction: (run, afterwards) =>
        db.transaction(
          run,
          afterwards && ((session, isCommitted) => afterwards(broken(session), isCommitted)),
        ),
    }
  }

  test('is free again even if it could not be given back: its connection is dropped', async () => {
    const { agentId } = await anActiveMandate(acme)
    const gateway = createPathGateway(app, withoutUnlock(app.database.db))
    const idempotency = anIdempotencyKey(agentId, 'request-1')
    const answerBy = performance.now() + HOUR_MS
    const spend = aSubmission(acme, agentId, { holdMs: HOUR_MS }, { idempotency, answerBy })
    expect((await gateway.decide(spend)).decision).toBe('approved')
    await waitUntil(async () => (await countAdvisoryLocks(app.database.db)) === 0)
    await gateway.stop()
  })
})
