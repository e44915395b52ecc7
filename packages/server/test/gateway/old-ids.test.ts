import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { newId } from '../../src/storage/new-id.ts'
import { units } from '../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, DAY_MS, HOUR_MS } from '../support/builders.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { evaluate, readTransaction, simulate } from '../support/spends.ts'

describe('a transaction whose id is much older than its createdAt', () => {
  let app: TestApp
  let gateway: Gateway

  beforeAll(async () => {
    app = await createTestApp()
    gateway = createPathGateway(app)
  })
  afterAll(async () => {
    await gateway.stop()
    await app.stop()
  })

  /** A process made the id, stood still for so long, and then decided. */
  async function spendLate(acme: Owner, agentId: string, lateMs: number): Promise<string> {
    const transactionId = newId(Date.now() - lateMs)
    const submission = aSubmission(acme, agentId, { transactionId, amount: units(60) })
    expect((await gateway.decide(submission)).decision).toBe('approved')
    return toPublicId('txn', transactionId)
  }

  const gapsOf = ({ organizationId }: Owner) =>
    app.rows<{ ms: bigint }>('select largest_ms as ms from clock_gaps where organization_id = $1', [
      organizationId,
    ])

  test('is counted by a limit that is added later', async () => {
    const acme = await app.organization()
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    await spendLate(acme, agentId, 3 * HOUR_MS)
    const rules = [{ type: 'limit', maxAmount: 100, window: 'hour' }]
    bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
    const { evaluationDetails } = await simulate(acme, agentId, { amount: 41 })
    expect(evaluationDetails.code).toBe('limit_amount_exceeded')
  })

  test('is in the list and the exports of the time in which it was created', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    const late = await spendLate(acme, agentId, 3 * DAY_MS)
    const { transactionId } = await evaluate(acme, agentId, { amount: 1 })
    const { createdAt } = await readTransaction(acme, late)
    const from = new Date(Date.parse(createdAt) - HOUR_MS).toISOString()
    const to = new Date(Date.parse(createdAt) + HOUR_MS).toISOString()
    const query = `from=${from}&to=${to}`
    const listed = bodyOf(await acme.get(`/transactions?${query}`)).data
    expect(listed.map((row) => row['transactionId'])).toEqual([transactionId, late])
    const exported = await acme.get(`/transactions/export?format=ndjson&${query}`)
    expect(exported.text).toContain(late)
    // What is in its id is not when it was created.
    const before = new Date(Date.parse(createdAt) - 2 * DAY_MS).toISOString()
    expect(bodyOf(await acme.get(`/transactions?to=${before}`)).data).toEqual([])
  })

  test('is remembered by its difference, and the largest one stays', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    await evaluate(acme, agentId, { amount: 1 })
    await spendLate(acme, agentId, HOUR_MS / 12)
    expect(await gapsOf(acme)).toEqual([])
    for (const hours of [2, 5, 3]) await spendLate(acme, agentId, hours * HOUR_MS)
    const [gap, ...others] = await gapsOf(acme)
    expect(others).toEqual([])
    expect(Number(gap?.ms)).toBeGreaterThanOrEqual(5 * HOUR_MS)
    expect(Number(gap?.ms)).toBeLessThan(6 * HOUR_MS)
  })

  test('is found also if it was stored before differences were remembered', async () => {
    const [acme, other] = [await app.organization(), await app.organization()]
    for (const owner of [acme, other]) {
      const { agentId } = await anActiveMandate(owner, { budgetTotal: 1_000 })
      await evaluate(owner, agentId, { amount: 1 })
      if (owner === acme) await spendLate(owner, agentId, 7 * HOUR_MS)
    }
    const [gap] = await gapsOf(acme)
    const file = readdirSync(MIGRATIONS_FOLDER).find((name) => /clock-gaps/.test(name))
    await app.rows('drop table clock_gaps, audit_stops')
    await app.rows(readFileSync(join(MIGRATIONS_FOLDER, file ?? ''), 'utf8'))
    expect(await gapsOf(acme)).toEqual([gap])
    expect(await gapsOf(other)).toEqual([])
  })

  test('does not widen what is read for other organizations', async () => {
    const acme = await app.organization()
    expect(await gapsOf(acme)).toEqual([])
  })
})
