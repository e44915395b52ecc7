import { hashOfLeaf, parseLeaf, toHex } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { naiveTree } from '../../../audit/test/naive-tree.ts'
import { readRoot } from '../../src/audit/proofs.ts'
import { hashOfDecision } from '../../src/core/audit/decision-leaf.ts'
import { type Source, subjectOf } from '../../src/core/audit/source.ts'
import { COUNT_MAX, toUuid, uuidV7 } from '../../src/core/id.ts'
import { toIso } from '../../src/core/time/instant.ts'
import { insertDecisionLeaves } from '../../src/storage/audit/leaves.ts'
import { newSalt } from '../../src/storage/audit/new-salt.ts'
import { listLeaves } from '../../src/storage/audit/read-leaves.ts'
import { findSources } from '../../src/storage/audit/sources.ts'
import { storeEvents, storeTransactionEvents } from '../../src/storage/webhooks/events.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createRandom, type Random } from '../support/random.ts'
import { evaluate } from '../support/spends.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

/** More than two turns. */
const EVENTS = 2_300

test('leaves that the database makes of decisions are those that their rows are hashed to', async () => {
  const { organizationId } = await app.organization()
  const random = createRandom(16)
  await storeMixedEvents(organizationId, random)
  await sealAll(app)
  const { db } = app.database
  const leaves = (await listLeaves(db, organizationId, 0, 10_000)).slice(1)
  const sources = await findSources(
    db,
    organizationId,
    leaves.map(({ number }) => number),
  )
  const expected = [...sources.values()].sort((a, b) => Number(a.number - b.number))
  expect(leaves.map(({ index, number }) => ({ index, number }))).toEqual(
    expected.map(({ number }, place) => ({ index: place + 1, number })),
  )
  expect(leaves.filter(({ kind }) => kind === 'transaction.voided').length).toBeGreaterThan(50)
  for (const [place, source] of expected.entries()) {
    const told = subjectOf(organizationId, source)
    const { hash, kind, subject, actorId, at, commitment } = leaves[place] ?? {}
    expect({ kind, subject, actorId, at: new Date(at ?? 0).toISOString() }).toEqual(told)
    expect(commitment).toEqual(source.commitment)
    expect(hash?.toString('hex')).toBe(hashAgain(organizationId, source))
  }
})

test('the leaf of a decision is that of its receipt, whatever became of its row before', async () => {
  const acme = await app.organization()
  const { agentId } = await anActiveMandate(acme)
  const { transactionId, evaluationDetails } = await evaluate(acme, agentId)
  const { leaf = '' } = evaluationDetails.receipt ?? {}
  const id = toUuid('txn', transactionId)
  const stored = await app.rows(
    `select encode(leaf, 'hex') as leaf from webhook_events where id = $1`,
    [id],
  )
  expect(stored).toEqual([{ leaf }])
  await app.rows(`update webhook_events set kind = 'transaction.rejected' where id = $1`, [id])
  await sealAll(app)
  const leaves = await listLeaves(app.database.db, acme.organizationId, 0, 100)
  const sealed = leaves.find(({ subject }) => subject === transactionId)
  expect(sealed).toMatchObject({ kind: 'transaction.rejected', hash: Buffer.from(leaf, 'hex') })
})

test('nodes that a turn completes are those of the tree over all leaves', async () => {
  const { organizationId } = await app.organization()
  await storeMixedEvents(organizationId, createRandom(61))
  await sealAll(app)
  const { db } = app.database
  const leaves = await listLeaves(db, organizationId, 0, 10_000)
  const tree = naiveTree(leaves.map(({ hash }) => hash))
  for (const size of [1, 2, 3, 7, 999, 1_000, 1_001, 1_024, 2_001, 2_047, leaves.length]) {
    expect(await readRoot(db, organizationId, size)).toEqual(tree.root(size))
  }
})

test('a decision whose row is gone before its leaf is stored fails the turn', async () => {
  const { organizationId } = await app.organization()
  const growth = { first: 0, hashes: Buffer.alloc(32), nodes: Buffer.alloc(0) }
  const insert = insertDecisionLeaves(
    organizationId,
    growth,
    { numbers: [7], places: [0] },
    { after: 6n, to: 7n },
  )
  await expect(app.database.db.query(insert)).rejects.toThrow('null value')
})

/** Decisions of any instant, and between them what is no decision. */
async function storeMixedEvents(organizationId: string, random: Random): Promise<void> {
  const { db } = app.database
  for (let stored = 0; stored < EVENTS; ) {
    const at = random.between(0, 4_102_444_800_000)
    const count = random.between(1, 60)
    await db.transaction(async (tx) => {
      const decided = Array.from({ length: count }, () => aDecision(at, random))
      tx.send(storeTransactionEvents(organizationId, at, decided))
      if (random.next() < 0.7) {
        tx.send(storeEvents(organizationId, at, [aVoidedEvent(someId(at, random), decided[0]?.id)]))
      }
    })
    stored += count
  }
  // Some have no hash of their leaf, or one that cannot be it: their leaves are made from their rows.
  await db.query({
    text: `update webhook_events set leaf = case number % 4 when 0 then substr(leaf, 2) end
           where organization_id = $1 and number % 4 < 2`,
    values: [organizationId],
  })
}

function aDecision(at: number, random: Random) {
  const [id, agentId] = [someId(at, random), someId(at, random)]
  const decision = random.pick(['approved', 'rejected'])
  const commitment = newSalt() + newSalt()
  const told = { transactionId: id, agentId, decision, at: toIso(at), commitment }
  const committed = { salt: newSalt(), commitment, leaf: hashOfDecision(told) }
  return { id, agentId, decision, committed }
}

function aVoidedEvent(id: string, transactionId = '') {
  const none = { agentId: null, mandateId: null, budgetTotal: null, budgetSpent: null }
  const told = { outcome: '{"status":"voided"}', sample: null }
  return { id, kind: 'transaction.voided', transactionId, ...none, ...told } as const
}

function someId(at: number, random: Random): string {
  const digits = Array.from({ length: 15 }, () => random.between(0, 15).toString(16)).join('')
  const uuid = `00000000-0000-4000-8${digits.slice(0, 3)}-${digits.slice(3)}`
  return uuidV7(at, random.between(0, COUNT_MAX), uuid)
}

function hashAgain(organizationId: string, source: Source): string | undefined {
  const commitment = source.commitment?.toString('hex') ?? ''
  const leaf = parseLeaf({ version: 1, ...subjectOf(organizationId, source), commitment })
  return leaf && toHex(hashOfLeaf(leaf, sha256))
}
