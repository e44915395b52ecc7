import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { aSpend, budgetOf, evaluate } from '../support/spends.ts'

const MIGRATION = join(MIGRATIONS_FOLDER, '0006-idempotency-spaces.sql')
const HEADERS = { 'idempotency-key': 'order-1' }

/** What the program stored before there were spaces. */
function oldFingerprint(keyId: string, url: string, body: string): Buffer {
  return createHash('sha256').update(`${keyId} POST /api/v1${url}\n`).update(body).digest()
}

describe('keys that were stored before there were spaces', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  /** Puts the table back to what it was, and migrates it again. */
  async function migrateAgain(): Promise<void> {
    await app.rows('alter table idempotency_keys drop constraint idempotency_keys_pkey')
    await app.rows('alter table idempotency_keys drop column space, drop column is_told')
    await app.rows('alter table idempotency_keys add primary key (organization_id, key)')
    await app.rows(readFileSync(MIGRATION, 'utf8'))
  }

  test('give their first answer after the migration, and spend nothing', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { key, client } = await aKey(app, acme, {
      agentIds: [agentId],
      scopes: ['gateway:write', 'transactions:write'],
    })
    const keyId = toUuid('key', key.id) ?? ''
    const body = aSpend(agentId)
    const spend = await client.post('/gateway/evaluate', body, HEADERS)
    const hold = await evaluate(acme, agentId, { hold: { expiresIn: '1h' } })
    const settleUrl = `/transactions/${hold.transactionId}/settle`
    const settled = await client.post(settleUrl, undefined, { 'idempotency-key': 'settle-1' })
    bodyOf(settled)
    const people = await acme.post('/agents', { name: 'Made before' }, { 'idempotency-key': 'a-1' })

    const print = oldFingerprint(keyId, '/gateway/evaluate', JSON.stringify(body))
    await app.rows(
      'update idempotency_keys set fingerprint = $1 where transaction_id is not null',
      [print],
    )
    await migrateAgain()

    const again = await client.post('/gateway/evaluate', body, HEADERS)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([spend.text, 'true'])
    const settledAgain = await client.post(settleUrl, undefined, { 'idempotency-key': 'settle-1' })
    expect([settledAgain.status, settledAgain.text]).toEqual([200, settled.text])
    const peopleAgain = await acme.post(
      '/agents',
      { name: 'Made before' },
      { 'idempotency-key': 'a-1' },
    )
    expect(peopleAgain.text).toBe(people.text)
    expect(await budgetOf(acme, id)).toEqual([20, 0, 80])
  })

  test('are still taken for another spend of their agent', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { key, client } = await aKey(app, acme, { agentIds: [agentId] })
    await client.post('/gateway/evaluate', aSpend(agentId), { 'idempotency-key': 'order-2' })
    const keyId = toUuid('key', key.id) ?? ''
    const print = oldFingerprint(keyId, '/gateway/evaluate', JSON.stringify(aSpend(agentId)))
    await app.rows(`update idempotency_keys set fingerprint = $1 where key = 'order-2'`, [print])
    await migrateAgain()
    const other = await client.post('/gateway/evaluate', aSpend(agentId, { amount: 1 }), {
      'idempotency-key': 'order-2',
    })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
  })
})
