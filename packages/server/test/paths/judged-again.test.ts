import { describe, expect, test } from 'vitest'
import type { Target } from '../../src/core/decision/target.ts'
import { toPublicId } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { someCard, units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { backtest } from '../support/backtests.ts'
import { anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { waitUntil } from '../support/wait-until.ts'
import { describeOnChain } from '../support/x402/describe-on-chain.ts'
import { openCardDesk } from './card/desk.ts'
import { EXAMPLES } from './examples.ts'
import type { PathExample } from './path-example.ts'

// Whichever way a spend came in, its decision can be reproduced from the record.

/** Replays by the rules that judged, and judges each decision again. */
async function expectReproduced(acme: Owner, mandateId: string, agentId: string): Promise<void> {
  const { data } = (await acme.get(`/transactions?agentId=${agentId}`)).body
  const report = await backtest(acme, mandateId, { version: 1 })
  expect(report).toMatchObject({ newlyApproved: 0, newlyRejected: 0, otherCode: 0 })
  expect(report.notReplayed).toEqual([])
  expect(report.replayed + report.takenFromRecord).toBe(data.length)
  for (const { transactionId } of data) {
    const again = bodyOf(await acme.post('/gateway/simulate', { transactionId }))
    expect(again, transactionId).not.toHaveProperty('differs')
  }
}

for (const path of EXAMPLES) {
  const describeWhereItRuns = path.needsChain ? describeOnChain : describe
  describeWhereItRuns(`decisions over ${path.name}`, () => reproduces(path))
}

function reproduces(path: PathExample): void {
  test('are reproduced, whatever became of them', async () => {
    const till = await path.open(10)
    await till.proveMoved(await till.spend(4))
    await till.proveNotMoved(await till.spend(5))
    await till.spend(3)
    await till.spend(4)
    await till.spend(2)
    await expectReproduced(till.acme, till.mandateId, till.agentId)
  })
}

describe('decisions over cards', () => {
  const RULES = [
    { type: 'limit', maxAmount: 70, window: 'day' },
    { type: 'duplicate', window: '1h', match: ['vendor', 'amount'] },
    { type: 'new_vendor', effect: 'flag' },
  ]

  test('are reproduced where a part was approved, raised, or booked unasked', async () => {
    const connection = { partialApprovals: true }
    const desk = await openCardDesk({ budget: 60, mandate: { rules: RULES }, connection })
    const purchase = { authorizationId: 'one' }
    await desk.ask({ ...purchase, amount: 20 })
    await desk.ask({ ...purchase, type: 'incremental', amount: 5 })
    const money = { currency: 'USD', ...purchase }
    await desk.tell('capture', { ...money, amount: 30, final: true })
    await desk.tell('capture', { card: { externalId: 'tok_1' }, amount: 8, currency: 'USD' })
    await desk.ask({ amount: 30, partialApprovalSupported: true })
    await desk.tell('refund', { ...money, amount: 12 })
    await desk.ask({ amount: 20, partialApprovalSupported: true })
    await desk.ask({ amount: 0 })
    await expectReproduced(desk.acme, desk.mandateId, desk.agentId)
  })
})

describe('what no rule decided', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway(async (scene) => {
    ;({ app, acme, gateway } = scene)
  })

  test('is in no backtest and cannot be judged again if it was declined at its deadline', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const answer = { answerBy: performance.now(), idempotency: anIdempotencyKey(agentId, 'late') }
    const { id } = await gateway.decide(aSubmission(acme, agentId, { holdMs: HOUR_MS }, answer))
    const transactionId = toPublicId('txn', id)
    const list = `/transactions?agentId=${agentId}`
    await waitUntil(async () => (await acme.get(list)).body.data.length === 1)
    const report = await backtest(acme, mandateId, { rules: [] })
    // Nobody came as far as asking which mandate it falls under.
    expect(report).toMatchObject({ replayed: 0, takenFromRecord: 0 })
    const { status, body } = await acme.post('/gateway/simulate', { transactionId })
    expect([status, body.code]).toEqual([422, 'inputs_not_kept'])
    expect(body.detail).toContain('it was declined at its deadline')
  })

  test('is judged again by the amount that was booked unasked, though it came to another', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const card = { path: 'card', card: someCard(), holdMs: Number.POSITIVE_INFINITY } as const
    const spend = { ...card, amount: units(20) }
    const { id } = await gateway.record(aSubmission(acme, agentId, spend))
    const paid: Target = {
      held: 0n,
      captured: units(35),
      refunded: 0n,
      end: 'voided',
      flags: ['ungoverned'],
      amount: units(35),
    }
    const { organizationId } = acme
    await app.database.db.transaction((tx) =>
      gateway.adjust({ tx, organizationId }, new Map([[id, paid]])),
    )
    const transactionId = toPublicId('txn', id)
    const again = bodyOf(await acme.post('/gateway/simulate', { transactionId }))
    expect(again).toMatchObject({ amount: 20 })
    await expectReproduced(acme, mandateId, agentId)
  })
})
