import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import {
  findDecisionKeys,
  type NewDecisionKey,
  storeDecisionKeys,
} from '../../../src/storage/decisions/decision-keys.ts'
import { lockMandatesOf } from '../../../src/storage/decisions/locked-mandates.ts'
import { readSpenders } from '../../../src/storage/decisions/read-accounts.ts'
import { type DecisionRow, storeDecisions } from '../../../src/storage/decisions/store-decisions.ts'
import type { Tx } from '../../../src/storage/engine/database.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { storeTransactionEvents } from '../../../src/storage/webhooks/events.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { describeOnUsualEngine } from '../../support/database.ts'

const AT = Date.UTC(2026, 10, 18, 12, 0, 0, 123)

/** The statements for one decision leave the same rows as those for many (ADR 58). */
describeOnUsualEngine('a decision alone', (engine) => {
  let app: TestApp
  let acme: Owner
  let agentId: string
  let otherAgentId: string
  let mandateId: string

  beforeAll(async () => {
    app = await createTestApp(engine)
    acme = await app.organization()
    const mandate = await anActiveMandate(acme)
    const other = await anActiveMandate(acme)
    agentId = mandate.agentId
    otherAgentId = other.agentId
    mandateId = toUuid('mnd', mandate.id) ?? ''
  })
  afterAll(() => app.stop())

  const aRow = (change: Partial<DecisionRow> = {}): DecisionRow => ({
    id: newId(AT),
    agentId,
    mandateId,
    mandateVersion: 1,
    path: 'evaluate',
    decision: 'approved',
    status: 'settled',
    code: 'approved',
    amount: 1_500_000n,
    currency: 'USD',
    vendor: 'a.example.com',
    category: 'llm',
    reference: 'Ä, "B" {c}\nd',
    reason: 'It is, "needed"',
    metadata: '{"b": "1", "a": "\\u00e4"}',
    remainingBudget: 5n,
    flaggedBy: ['first', 'second'],
    details: '{"b":1, "a":"\\u00e4"}',
    heldAmount: 0n,
    settledAmount: 1_500_000n,
    expiresAt: null,
    countedIn: '["a b", "c"]',
    noted: null,
    inputs: { text: '[0,"1500000",null]', terms: '1 hash' },
    requestedBy: newId(AT),
    committed: { salt: 'ab'.repeat(32), commitment: 'cd'.repeat(32), leaf: 'ef'.repeat(32) },
    ...change,
  })
  const rejected = {
    mandateId: null,
    mandateVersion: null,
    decision: 'rejected',
    status: 'rejected',
    currency: null,
    category: null,
    reference: null,
    reason: null,
    metadata: null,
    flaggedBy: [],
    settledAmount: 0n,
    countedIn: null,
    inputs: null,
    requestedBy: null,
    committed: null,
  } as const
  const held = { status: 'held', settledAmount: 0n, heldAmount: 1_500_000n } as const
  const noted = { external: { who: 'Ä, "B"' }, flags: ['merchant_drift'] } as const

  /** Runs in a transaction that is rolled back, and returns the result. */
  async function inVain<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    let result: { readonly value: T } | undefined
    const over = new Error('rolled back')
    const ran = app.database.db.transaction(async (tx) => {
      result = { value: await run(tx) }
      throw over
    })
    await expect(ran).rejects.toBe(over)
    if (!result) throw new Error('Nothing ran.')
    return result.value
  }

  const figures = {
    id: '',
    budgetSpent: 1_500_000n,
    budgetHeld: 2n,
    budgetOverdrawn: 0n,
    spentPeriodStart: AT - 1,
  }

  /** The rows about the first decision: its transaction, its event, its mandate. */
  function storeAndRead(rows: readonly DecisionRow[], isDrawn: boolean): Promise<unknown> {
    return inVain(async (tx) => {
      const id = rows[0]?.id
      const { organizationId } = acme
      const drawn = isDrawn ? [{ ...figures, id: mandateId }] : []
      tx.send(storeDecisions(organizationId, AT, rows, drawn))
      tx.send(storeTransactionEvents(organizationId, AT, rows))
      const read = (text: string, value: unknown) => tx.query({ text, values: [value] })
      return Promise.all([
        read('select to_jsonb(t) as row, details::text from transactions t where id = $1', id),
        read('select to_jsonb(e) as row from webhook_events e where id = $1', id),
        read('select to_jsonb(m) as row from mandates m where id = $1', mandateId),
      ])
    })
  }

  test.each([
    ['approval', {}, true],
    ['rejection', rejected, false],
    ['hold', { ...held, expiresAt: AT + 60_000 }, true],
    ['hold without an end', { ...held, expiresAt: Number.POSITIVE_INFINITY }, true],
    ['noted approval', { noted }, true],
    ['noted rejection', { ...rejected, noted: { ...noted, flags: [] } }, false],
  ] as const)('is stored like one of several: %s', async (_, change, isDrawn) => {
    const row = aRow(change)
    const alone = await storeAndRead([row], isDrawn)
    const together = await storeAndRead([row, aRow({ ...rejected, noted: row.noted })], isDrawn)
    expect(alone).toEqual(together)
  })

  test('fails if a stop came after it was read, as several do', async () => {
    const row = aRow()
    for (const rows of [[row], [row, aRow()]]) {
      const stored = app.database.db.transaction(async (tx) =>
        tx.send(storeTransactionEvents(acme.organizationId, AT, rows, -1n)),
      )
      await expect(stored).rejects.toThrow('last_number')
    }
  })

  test('is read like one of several', async () => {
    const { organizationId } = acme
    await inVain(async (tx) => {
      const lockOne = await lockMandatesOf(tx, organizationId, [agentId])
      const lockMany = await lockMandatesOf(tx, organizationId, [agentId, otherAgentId])
      expect(lockMany.filter((mandate) => mandate.agentId === agentId)).toEqual(lockOne)
      const [one] = await readSpenders(tx, organizationId, [agentId])
      const many = await readSpenders(tx, organizationId, [agentId, otherAgentId])
      const same = many.find((spender) => spender.agentId === agentId)
      expect({ ...same, now: 0 }).toEqual({ ...one, now: 0 })
      const [nobody] = await readSpenders(tx, organizationId, [newId(AT)])
      expect(nobody).toMatchObject({ agentId: null, plan: one?.plan })
    })
  })

  test('has its Idempotency-Key stored and found like one of several', async () => {
    const { organizationId } = acme
    const aKey = (key: string): NewDecisionKey => ({
      space: agentId,
      key,
      fingerprint: Buffer.from('0102ff', 'hex'),
      transactionId: newId(AT),
      isTold: false,
    })
    const [first, second] = [aKey('a, "b"'), aKey('c')]
    const stored = (keys: readonly NewDecisionKey[]) =>
      inVain(async (tx) => {
        tx.send(storeDecisionKeys(organizationId, AT, keys))
        const [alone, together] = await Promise.all([
          findDecisionKeys(tx, organizationId, [first]),
          findDecisionKeys(tx, organizationId, [first, second]),
        ])
        expect(together.filter(({ key }) => key === first.key)).toEqual(alone)
        return alone
      })
    expect(await stored([first])).toEqual(await stored([first, second]))
    expect(await stored([first])).toHaveLength(1)
  })
})
