import assert from 'node:assert/strict'
import { parseVerifierKey } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../../server/test/support/database.ts'
import { addMandate, openSite, type Site } from '../../../server/test/support/gateway-cluster.ts'
import type { GatewayProcess } from '../../../server/test/support/gateway-process.ts'
import { countLockWaits, lockMandateRow } from '../../../server/test/support/row-lock.ts'
import { aSpend } from '../../../server/test/support/spends.ts'
import { waitUntil } from '../../../server/test/support/wait-until.ts'
import { verify } from './gateway-log.ts'

const ROUNDS = 2

describeOnPostgres('an export with proofs of decisions by two processes', () => {
  let database: TestDatabase
  let site: Site
  let first: GatewayProcess
  let second: GatewayProcess

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    const opened = await openSite({ databaseUrl: database.url })
    site = opened.site
    first = opened.first
    second = await site.start()
  })
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()])
    await site?.close()
    await database?.drop()
  })

  async function get(path: string, accept = 'application/json'): Promise<string> {
    const headers = { authorization: `Bearer ${site.apiKey}`, accept }
    const response = await fetch(`${second.url}/api/v1${path}`, { headers })
    assert.equal(response.status, 200)
    return response.text()
  }

  async function proofs(query = ''): Promise<string[]> {
    const text = await get(`/transactions/export${query}`, 'application/x-ndjson')
    return text.trimEnd().split('\n')
  }

  const evaluate = (gateway: GatewayProcess, agentId: string) =>
    site.must(gateway, '/gateway/evaluate', aSpend(agentId, { amount: 1 }))

  /** Ids in one order and commits in the other: the earlier id waits for its mandate. */
  async function decideCrosswise(): Promise<void> {
    const [slow, quick] = [
      await addMandate(site, first, { budgetTotal: 100 }),
      await addMandate(site, second, { budgetTotal: 100 }),
    ]
    const held = await lockMandateRow(database.db, slow.mandateId)
    const waiting = Promise.all([evaluate(first, slow.agentId), evaluate(first, slow.agentId)])
    await waitUntil(async () => (await countLockWaits(database.db)) > 0)
    await evaluate(second, quick.agentId)
    await held.release()
    await waiting
  }

  test('has every decision once, wherever it breaks off and goes on', async () => {
    for (let round = 0; round < ROUNDS; round++) await decideCrosswise()
    const count = ROUNDS * 3
    await waitUntil(async () => (await proofs()).length === count + 2)
    const { keys: published } = JSON.parse(await get('/audit-log/proof'))
    const keys = published.flatMap((key: string) => parseVerifierKey(key, sha256) ?? [])
    const lines = await proofs()
    const leaves = lines.slice(2).map((line) => JSON.parse(line))
    const indexes = leaves.map(({ index }) => index)
    // The decisions were committed in another order than that of their ids.
    expect(indexes).not.toEqual(indexes.toSorted((a, b) => b - a))
    for (let taken = 1; taken <= count; taken++) {
      const cursor = leaves[taken - 1].leaf.subject
      const rest = await proofs(`?cursor=${cursor}`)
      expect(rest.slice(2), `after ${taken}`).toEqual(lines.slice(2 + taken))
      const joined = [...lines.slice(0, 2 + taken), ...rest]
      expect(verify(joined, keys), `after ${taken}`).toMatchObject({ leaves: count })
    }
  })
})
