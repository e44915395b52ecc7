import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRetention } from '../../../server/src/upkeep/retention.ts'
import { countAll } from '../../../server/test/support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { sealAll } from '../../../server/test/support/audit-log.ts'
import { aKey, anActiveMandate, anAgent, DAY_MS } from '../../../server/test/support/builders.ts'
import { createRandom } from '../../../server/test/support/random.ts'
import { silentLog } from '../../../server/test/support/silent-log.ts'
import { evaluate } from '../../../server/test/support/spends.ts'
import { exportOf, keysOf, someHistory, unfoundOf, verify } from './gateway-log.ts'

/** What a real gateway exports, held against what was kept of it. */

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

describe('an export of the gateway', () => {
  test('fits its key, the heads and the answers that were kept, with nothing pruned', async () => {
    const { owner, receipts } = await someHistory(app)
    const { keys, head } = await keysOf(owner)
    const lines = await exportOf(owner)
    const findings = verify(lines, keys, { heads: [head], receipts })
    expect(findings).toMatchObject({ leaves: lines.length - 2, pruned: 0, from: 0 })
  })

  test('goes on from any leaf, and the parts fit together', async () => {
    const { owner, receipts } = await someHistory(app)
    const { keys } = await keysOf(owner)
    const whole = await exportOf(owner)
    for (const from of [1, 2, 5, whole.length - 2]) {
      const rest = await exportOf(owner, from)
      expect(verify(rest, keys)).toMatchObject({ from, leaves: whole.length - 2 - from })
      const joined = [...whole.slice(0, 1 + from), ...rest]
      expect(verify(joined, keys, { receipts })).toMatchObject({ leaves: whole.length - 2 })
    }
  })

  test('goes on from a head that was kept before', async () => {
    const { owner } = await someHistory(app)
    const before = await keysOf(owner)
    await owner.post('/agents', { name: 'Another' })
    await sealAll(app)
    const { keys } = await keysOf(owner)
    expect(verify(await exportOf(owner), keys, { heads: [before.head] })).toMatchObject({ from: 0 })
  })
})

describe('a proof that was saved', () => {
  test('of a leaf is verified with its receipt, and of growth with the head it is from', async () => {
    const { owner, receipts } = await someHistory(app)
    const { keys, head } = await keysOf(owner)
    const [receipt = ''] = receipts
    const { leaf } = JSON.parse(receipt).evaluationDetails.receipt
    const { text } = await owner.get(`/audit-log/proof?leaf=${leaf}`)
    const kept = { receipts: [receipt] }
    expect(verify([text], keys, kept)).toMatchObject({ leaves: 1, pruned: 0, checkpoints: 1 })
    const turned = text.replace(
      leaf,
      leaf.replace(/^./, (digit: string) => (digit === 'a' ? 'b' : 'a')),
    )
    expect(verify([turned], keys, kept)).toContain('its proof fails')

    await owner.post('/agents', { name: 'Another' })
    await sealAll(app)
    const size = head.split('\n')[1]
    const growth = (await owner.get(`/audit-log/proof?from=${size}`)).text
    expect(verify([growth], keys, { heads: [head] })).toMatchObject({ leaves: 0, proofs: 1 })
    const longer = { ...JSON.parse(growth), size: 9_999 }
    expect(verify([JSON.stringify(longer)], keys)).toMatch(/^1: it says .* has 9999 leaves/)
    const { consistency, ...rest } = JSON.parse(growth)
    for (const more of [
      { ...rest, consistency, note: 'not verified' },
      { ...rest, consistency: { ...consistency, note: 'not verified' } },
    ]) {
      expect(verify([JSON.stringify(more)], keys)).toMatch(/^1: this is not a line/)
    }
    const root = JSON.parse(growth).consistency.root
    expect(verify([growth.replace(root, leaf)], keys, { heads: [head] })).toContain('proof fails')
  })
})

describe('an export of some transactions', () => {
  const accept = 'application/x-ndjson'

  test('proves each of them, and goes on behind a cursor', async () => {
    const { owner, receipts } = await someHistory(app)
    const { keys } = await keysOf(owner)
    const { text } = await owner.get('/transactions/export', { accept })
    const lines = text.trimEnd().split('\n')
    expect(verify(lines, keys, { receipts })).toMatchObject({ content: 'proofs', leaves: 3 })
    const [newest] = receipts.slice(-1).map((receipt) => JSON.parse(receipt).transactionId)
    const rest = await owner.get(`/transactions/export?cursor=${newest}`, { accept })
    const others = { receipts: receipts.slice(0, -1) }
    const part = rest.text.trimEnd().split('\n')
    expect(verify(part, keys, others)).toMatchObject({ leaves: 2 })
    expect(verify([...lines.slice(0, 3), ...part], keys, { receipts })).toMatchObject({ leaves: 3 })
    const one = await owner.get('/transactions/export?decision=rejected', { accept })
    expect(verify(one.text.trimEnd().split('\n'), keys)).toMatchObject({ leaves: 1 })
  })

  test('is not for keys that see a part of the decisions', async () => {
    const { owner } = await someHistory(app)
    const agent = await anAgent(owner)
    const { client } = await aKey(app, owner, { agentIds: [agent.id] })
    const { body } = await client.get('/transactions/export', { accept })
    expect(body.code).toBe('agent_bound_key')
  })
})

describe('what is past its time', () => {
  test('is pruned in an export that fits all the same, with its heads and receipts', async () => {
    const { owner, receipts } = await someHistory(app)
    const { keys, head } = await keysOf(owner)
    await owner.patch('/organization', { retention: { detailsDays: 90, eventsDays: 7 } })
    await sealAll(app)
    await countAll(app)
    const clock = async () => Date.now() + 500 * DAY_MS
    const retention = startRetention({ db: app.database.db, clock, log: silentLog })
    await retention.round()
    await retention.stop()
    const findings = verify(await exportOf(owner), keys, { heads: [head], receipts })
    // Three decisions, what became of one of them, and the warning of the budget.
    expect(findings).toMatchObject({ pruned: 6 })
  })
})

describe('what is changed in the database', () => {
  test.each([
    ['an amount', 'update transactions set amount = amount + 1'],
    ['a vendor', `update transactions set vendor = 'other.example.com'`],
    ['a decision', `update transactions set decision = 'approved', code = 'approved'`],
    ['details', `update transactions set details = replace(details::text, '30', '31')::json`],
    ['a reason', `update transactions set reason = 'none'`],
    ['metadata', `update transactions set metadata = '{"run":"8"}'`],
    ['who changed something', `update changes set actor_name = 'Somebody else'`],
    ['what was changed', `update changes set after = '{"name":"other"}'`],
    ['a salt', `update webhook_events set salt = decode(repeat('00', 16), 'hex')`],
  ])('shows: %s', async (_what, statement) => {
    const { owner, receipts } = await someHistory(app)
    const { keys } = await keysOf(owner)
    await app.rows(`${statement} where organization_id = $1`, [owner.organizationId])
    expect(verify(await exportOf(owner), keys, { receipts })).toMatch(
      /the payload of leaf \d+ does not match/,
    )
  })

  test.each([
    ['the kind of a leaf', `update audit_leaves set kind = 'other' where index = 3`],
    ['the time of a leaf', `update audit_leaves set at = at + interval '1 ms' where index = 3`],
    ['a hash', `update audit_leaves set hash = commitment where index = 3`],
    ['a leaf that is gone', 'delete from audit_leaves where index = 3'],
  ])('shows by somebody who switched the triggers off: %s', async (_what, statement) => {
    const { owner } = await someHistory(app)
    const { keys } = await keysOf(owner)
    await app.rows('alter table audit_leaves disable trigger all')
    await app.rows(`${statement} and organization_id = $1`, [owner.organizationId])
    await app.rows('alter table audit_leaves enable trigger all')
    expect(verify(await exportOf(owner), keys)).toMatch(/^\d+: /)
  })

  test.each([
    ['its event is gone', [`delete from webhook_events where kind = 'transaction.approved'`]],
    [
      'it was changed, and what was committed to it taken away',
      [
        'update transactions set amount = amount - 1 where true',
        'update webhook_events set salt = null, commitment = null where true',
      ],
    ],
  ])('before it was sealed shows against the answers that were kept: %s', async (_, statements) => {
    const owner = await app.organization()
    const { agentId } = await anActiveMandate(owner)
    const spend = await evaluate(owner, agentId)
    await rewrite(owner, statements)
    await sealAll(app)
    const { keys } = await keysOf(owner)
    const lines = await exportOf(owner)
    expect(verify(lines, keys)).toMatchObject({ from: 0 })
    expect(verify(lines, keys, { receipts: [JSON.stringify(spend)] })).toMatch(
      /is not in the export/,
    )
  })

  test('by somebody who has the log built anew shows against heads and answers that were kept', async () => {
    const { owner, receipts } = await someHistory(app)
    const { keys, head } = await keysOf(owner)
    await app.rows('alter table audit_leaves disable trigger all')
    await rewrite(owner, [
      'delete from audit_leaves where true',
      `update audit_logs set size = 0, last_number = begun_after, frontier = '', signed_size = 0,
         note = null where true`,
      'update transactions set amount = amount - 1 where true',
      `update webhook_events set salt = null, commitment = null
       where kind in ('transaction.approved', 'transaction.rejected')`,
    ])
    await app.rows('alter table audit_leaves enable trigger all')
    await sealAll(app)
    const lines = await exportOf(owner)
    expect(verify(lines, keys)).toMatchObject({ from: 0, pruned: 0 })
    expect(verify(lines, keys, { heads: [head] })).toMatch(/not those of the head/)
    expect(verify(lines, keys, { receipts })).toMatch(/^mismatch: .* is not in the export/)
  })

  /** As whoever can write to the database may. Each statement ends with a condition. */
  async function rewrite(owner: Owner, statements: readonly string[]): Promise<void> {
    for (const statement of statements) {
      await app.rows(`${statement} and organization_id = $1`, [owner.organizationId])
    }
  }

  test('by putting a backup back shows against a head that was kept', async () => {
    const { owner } = await someHistory(app)
    const old = await exportOf(owner)
    await owner.post('/agents', { name: 'Forgotten' })
    await sealAll(app)
    const { keys, head } = await keysOf(owner)
    expect(verify(old, keys)).toMatchObject({ from: 0 })
    expect(verify(old, keys, { heads: [head] })).toMatch(/rolled back/)
  })

  test('by somebody who has only the export shows, wherever it is', async () => {
    const { owner } = await someHistory(app)
    const { keys } = await keysOf(owner)
    const lines = await exportOf(owner)
    expect(unfoundOf(lines, keys, createRandom(16), 300)).toEqual([])
  })
})

test('an export of another organization fits none of its keys', async () => {
  const [one, two] = [await someHistory(app), await someHistory(app)]
  const { keys } = await keysOf(two.owner)
  expect(verify(await exportOf(one.owner), keys)).toMatch(/you passed no key/)
})
