import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAgentsSeen } from '../../src/storage/agents.ts'
import { recordKeyUses } from '../../src/storage/api-keys.ts'
import { storeDecisionKeys } from '../../src/storage/decisions/decision-keys.ts'
import type { Database, Statement } from '../../src/storage/engine/database.ts'
import type { Use } from '../../src/storage/last-use.ts'
import { newId } from '../../src/storage/new-id.ts'
import { recordSessionUses } from '../../src/storage/people/sessions.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { copyRows } from '../support/copy-rows.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aMember } from '../support/people.ts'
import { countLockWaits, holdLocks } from '../support/row-lock.ts'
import { waitUntil } from '../support/wait-until.ts'

const ROWS = 300
const NOW = Date.now()

/**
 * Somebody holds the first of several rows. Whoever needs all of them must wait for it before taking
 * any other: then two of them can never wait for each other.
 */
describeOnPostgres('locks of several rows are taken in the order of ids', () => {
  let app: TestApp
  let db: Database
  let organizationId: string
  beforeAll(async () => {
    app = await createTestApp('postgres')
    db = app.database.db
    const acme = await app.organization()
    organizationId = acme.organizationId
    await acme.post('/agents', { name: 'Agent' })
    await aMember(app, acme)
  })
  afterAll(() => app.stop())

  /** Copies of a row whose ids come in reverse, so that no scan meets them in their order. */
  async function copies(table: string, others: string): Promise<string[]> {
    const ids = Array.from({ length: ROWS }, () => newId(NOW)).toReversed()
    await db.query({
      text: copyRows(
        table,
        `jsonb_build_object('id', c.id) || ${others}`,
        'unnest($2::uuid[]) as c (id)',
        `r.id = (select id from ${table} where organization_id = $1 limit 1)`,
      ),
      values: [organizationId, ids],
    })
    await db.query({ text: `analyze ${table}` })
    return ids.toSorted()
  }

  async function expectOrdered(
    work: () => Promise<unknown>,
    first: Statement,
    last: Statement,
  ): Promise<void> {
    const held = await holdLocks(db, first)
    const working = work()
    // It may fail before anybody waits for it.
    working.catch(() => {})
    try {
      await waitUntil(async () => (await countLockWaits(db)) === 1)
      await db.transaction((tx) => tx.query(last))
    } finally {
      await held.release()
      await working
    }
  }

  const lock = (table: string, id = ''): Statement => ({
    text: `select 1 from ${table} where organization_id = $1 and id = $2 for update nowait`,
    values: [organizationId, id],
  })

  test.each([
    { table: 'agents', others: `'{}'`, record: recordAgentsSeen },
    { table: 'api_keys', others: `jsonb_build_object('public_id', c.id)`, record: recordKeyUses },
    {
      table: 'sessions',
      others: `jsonb_build_object('public_id', c.id, 'last_seen_at', '2020-01-01')`,
      record: recordSessionUses,
    },
  ])('of $table, when their last use is written', async ({ table, others, record }) => {
    const ids = (await copies(table, others)).slice(0, 10)
    const uses: Use[] = ids.toReversed().map((id) => ({ id, at: NOW }))
    await expectOrdered(
      () => record(db, organizationId, uses),
      lock(table, ids[0]),
      lock(table, ids[9]),
    )
  })

  test('of Idempotency-Keys, when decisions are stored', async () => {
    const space = newId(NOW)
    const store = (...keys: string[]): Statement =>
      storeDecisionKeys(
        organizationId,
        NOW,
        keys.map((key) => ({
          space,
          key,
          fingerprint: Buffer.alloc(32),
          transactionId: newId(NOW),
          isTold: null,
        })),
      )
    const work = () => db.query(store('b', 'a'))
    const refused = expectOrdered(work, store('a'), store('b'))
    await expect(refused).rejects.toMatchObject({ constraint: 'idempotency_keys_pkey' })
  })
})
