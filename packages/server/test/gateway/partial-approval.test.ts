import { describe, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { DecisionRow } from '../../src/storage/decisions/store-decisions.ts'
import { someCard, units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { aHold, budgetOf, evaluate, readTransaction } from '../support/spends.ts'

describe('a card purchase that is approved in part', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway((scene) => {
    ;({ app, acme, gateway } = scene)
  })

  const spend = {
    path: 'card',
    amount: units(70),
    holdMs: Number.POSITIVE_INFINITY,
    card: someCard({ partialUnit: 10_000n }),
  } as const

  test('is stored, answered and answered again with the part', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId, { amount: 60 })
    const idempotency = anIdempotencyKey(agentId, 'part')
    const seen: DecisionRow[] = []
    const alongside = (row: DecisionRow) => {
      seen.push(row)
      return []
    }
    const first = aSubmission(acme, agentId, spend, { idempotency, alongside })
    const decided = await gateway.decide(first)
    expect(decided).toMatchObject({ decision: 'approved', amount: units(40) })
    expect(seen.at(-1)).toMatchObject({ amount: units(40), heldAmount: units(40) })
    const stored = { amount: 40, heldAmount: 40, status: 'held', remainingBudget: 0 }
    expect(await readTransaction(acme, toPublicId('txn', decided.id))).toMatchObject(stored)
    expect(await budgetOf(acme, mandateId)).toEqual([100, 40, 0])
    const again = await gateway.decide(aSubmission(acme, agentId, spend, { idempotency }))
    expect(again).toMatchObject({ id: decided.id, amount: units(40), isReplay: true })
  })

  test('shares what is left with others of the same moment, and takes no more', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const decided = await Promise.all(
      Array.from({ length: 3 }, () => gateway.decide(aSubmission(acme, agentId, spend))),
    )
    const amounts = decided.map(({ decision, amount }) => (decision === 'approved' ? amount : 0n))
    expect(amounts.sort((a, b) => Number(a - b))).toEqual([0n, units(30), units(70)])
    expect(await budgetOf(acme, mandateId)).toEqual([100, 100, 0])
  })

  test('is approved as a whole where holds took the room whose time is over', async () => {
    const { agentId } = await anActiveMandate(acme)
    await aHold(acme, agentId, 60, '10s')
    app.clock.now = Date.now() + 11_000
    const { amount } = await gateway.decide(aSubmission(acme, agentId, spend))
    app.clock.now = undefined
    expect(amount).toBe(units(70))
  })

  test('does not repeat a purchase of the amount that is left', async () => {
    const rules = [{ type: 'duplicate', window: '1h', match: ['vendor', 'amount'] }]
    const { agentId } = await anActiveMandate(acme, { rules, budgetTotal: 50.005 })
    await evaluate(acme, agentId, { amount: 25 })
    const { decision } = await gateway.decide(aSubmission(acme, agentId, spend))
    expect(decision).toBe('rejected')
  })
})
