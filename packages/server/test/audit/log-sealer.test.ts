import { hashOfLeaf, makeLeaf } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLogKey, OVERLAP_MS } from '../../src/audit/log-keys.ts'
import { logOf } from '../../src/core/audit/decision-leaf.ts'
import { payloadOf, subjectOf } from '../../src/core/audit/source.ts'
import { findDecisionFacts } from '../../src/storage/audit/sources.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import {
  auditSealer,
  headOf,
  leavesOf,
  logKeysOn,
  rootOf,
  sealAll,
  sealRound,
  sourcesOf,
} from '../support/audit-log.ts'
import { anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { storeRejections } from '../support/bulk-decisions.ts'
import { describeOnPostgres } from '../support/database.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

describe('the audit log', () => {
  test('has everything that happened, in the order of the feed, under a signed head', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const { evaluationDetails } = await evaluate(acme, agentId)
    const held = await evaluate(acme, agentId, { hold: { expiresIn: '1h' } })
    await acme.post(`/transactions/${held.transactionId}/void`)
    await sealAll(app)
    const leaves = await leavesOf(app, acme)
    expect(leaves.map(({ index }) => Number(index))).toEqual(leaves.map((_, place) => place))
    const numbers = leaves.slice(1).map(({ number }) => number)
    expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)))
    const kinds = leaves.map(({ kind }) => kind)
    expect(kinds[0]).toBe('log.begun')
    expect(kinds).toEqual(
      expect.arrayContaining(['change.mandate.activated', 'transaction.approved']),
    )
    const hashes = leaves.map(({ hash }) => hash.toString('hex'))
    expect(hashes).toContain(evaluationDetails.receipt?.leaf)
    expect(hashes).toContain(held.evaluationDetails.receipt?.leaf)
    const head = { origin: logOf(acme.organizationId), size: leaves.length, root: rootOf(leaves) }
    expect(await headOf(app, acme)).toEqual(head)
  })

  test('has what nobody chose to be told, and nobody is told of it', async () => {
    const acme = await app.organization()
    const rules = [{ type: 'approval', above: 25 }]
    const { agentId } = await anActiveMandate(acme, { rules })
    const held = await evaluate(acme, agentId, { hold: { expiresIn: '1h' } })
    await acme.post(`/transactions/${held.transactionId}/void`)
    const spend = await evaluate(acme, agentId)
    await acme.post(`/transactions/${spend.transactionId}/refund`)
    await evaluate(acme, agentId, { amount: 30 })
    await sealAll(app)
    const kinds = (await leavesOf(app, acme)).map(({ kind }) => kind)
    const untold = ['transaction.voided', 'transaction.refunded', 'approval.requested']
    expect(kinds).toEqual(expect.arrayContaining(untold))
    const told = bodyOf(await acme.get('/events')).data.map(({ event }) => event)
    expect([...new Set(told)].sort()).toEqual(['transaction.approved', 'transaction.rejected'])
  })

  test('goes on where it was, and its head with it', async () => {
    const acme = await app.organization()
    await sealAll(app)
    const before = await leavesOf(app, acme)
    await anAgent(acme)
    await sealAll(app)
    const after = await leavesOf(app, acme)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.length).toBe(before.length + 1)
    expect(await headOf(app, acme)).toMatchObject({ size: after.length, root: rootOf(after) })
  })

  test('takes more than one turn for a long feed', async () => {
    const acme = await app.organization()
    const agent = await anAgent(acme)
    await storeRejections(app.database.db, acme.organizationId, agent.id, 2_300)
    await sealAll(app)
    const leaves = await leavesOf(app, acme)
    expect(leaves.filter(({ kind }) => kind === 'transaction.rejected')).toHaveLength(2_300)
    expect(await headOf(app, acme)).toMatchObject({ size: leaves.length, root: rootOf(leaves) })
  })

  test('of one organization is not held up by the backlog of another', async () => {
    const [busy, quiet] = [await app.organization(), await app.organization()]
    const agent = await anAgent(busy)
    await storeRejections(app.database.db, busy.organizationId, agent.id, 3_500)
    await anAgent(quiet)
    await sealRound(app)
    // All of the short feed, and a bounded part of the long one: a second round may have begun.
    expect(await headOf(app, quiet)).toMatchObject({ size: (await leavesOf(app, quiet)).length })
    expect((await leavesOf(app, quiet)).map(({ kind }) => kind)).toContain('change.agent.created')
    expect((await leavesOf(app, busy)).length).toBeLessThan(3_000)
  })

  test('leaves test events out', async () => {
    const acme = await app.organization()
    await acme.patch('/organization', { webhookUrl: 'http://127.0.0.1:9/hook' })
    await acme.post('/webhooks/test', { event: 'transaction.approved' })
    await sealAll(app)
    const kinds = (await leavesOf(app, acme)).map(({ kind }) => kind)
    expect(kinds).not.toContain('transaction.approved')
  })

  test('is signed by the next turn where a process ended before it could', async () => {
    const acme = await app.organization()
    await sealAll(app)
    const head = await headOf(app, acme)
    await app.rows(
      'update audit_logs set signed_size = 0, note = null where organization_id = $1',
      [acme.organizationId],
    )
    await sealAll(app)
    expect(await headOf(app, acme)).toEqual(head)
  })

  test('commits to what an older gateway has stored without', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId, { metadata: { run: '7' } })
    const { organizationId } = acme
    for (const table of ['webhook_events', 'changes']) {
      await app.rows(
        `update ${table} set salt = null, commitment = null where organization_id = $1`,
        [organizationId],
      )
    }
    await sealAll(app)
    const { db } = app.database
    const sources = await sourcesOf(app, organizationId)
    const ids = sources.flatMap((source) => (source.type === 'event' ? [source.id] : []))
    const facts = await findDecisionFacts(db, organizationId, ids)
    const leaves = await leavesOf(app, acme)
    expect(sources.length).toBe(leaves.length - 1)
    for (const [place, source] of sources.entries()) {
      const decision = source.type === 'event' ? facts.get(source.id) : undefined
      const subject = subjectOf(organizationId, source)
      const leaf = makeLeaf(
        subject,
        payloadOf(source, decision),
        source.salt ?? Buffer.of(),
        sha256,
      )
      expect(leaf && hashOfLeaf(leaf, sha256)).toEqual(leaves[place + 1]?.hash)
    }
  })

  test.each([
    'update audit_leaves set kind = kind',
    'delete from audit_leaves',
    'truncate audit_leaves',
  ])('refuses: %s', async (statement) => {
    await app.organization()
    await sealAll(app)
    await expect(app.rows(statement)).rejects.toThrow('never changed or removed')
  })

  test('is signed by the old key and the new one while the key is changed', async () => {
    const other = await createTestApp()
    try {
      const acme = await other.organization()
      await sealAll(other)
      const keys = { db: other.database.db, sealer: auditSealer }
      expect(await makeLogKey(keys, 1)).toBe(true)
      expect(await makeLogKey(keys, 1)).toBe(false)
      expect(await logKeysOn(other).published(acme.organizationId)).toHaveLength(2)
      expect(await logKeysOn(other).signers(acme.organizationId)).toHaveLength(2)
      other.clock.now = Date.now() + OVERLAP_MS + 60_000
      expect(await logKeysOn(other).signers(acme.organizationId)).toHaveLength(1)
      expect(await logKeysOn(other).published(acme.organizationId)).toHaveLength(2)
    } finally {
      await other.stop()
    }
  })
})

describeOnPostgres('two processes', () => {
  test('seal one log, which never forks', async () => {
    const first = await createTestApp('postgres')
    const second = await openPostgres({ url: first.database.url }, silentLog)
    try {
      const acme = await first.organization()
      const { agentId } = await anActiveMandate(acme)
      const spending = Array.from({ length: 30 }, () => evaluate(acme, agentId, { amount: 1 }))
      const sealing = Array.from({ length: 10 }, (_, turn) =>
        turn % 2 === 0 ? sealAll(first) : sealAll(first, second),
      )
      await Promise.all([...spending, ...sealing])
      await sealAll(first)
      const leaves = await leavesOf(first, acme)
      expect(leaves.map(({ index }) => Number(index))).toEqual(leaves.map((_, place) => place))
      expect(new Set(leaves.map(({ number }) => number)).size).toBe(leaves.length)
      const decided = leaves.filter(({ kind }) => kind === 'transaction.approved')
      expect(decided).toHaveLength(30)
      expect(await headOf(first, acme)).toMatchObject({ size: leaves.length, root: rootOf(leaves) })
    } finally {
      await second.close()
      await first.stop()
    }
  })
})
