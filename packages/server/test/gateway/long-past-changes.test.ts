import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { newId } from '../../src/storage/new-id.ts'
import { units } from '../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, DAY_MS, HOUR_MS } from '../support/builders.ts'
import { aSubmission, createPathGateway, inPlace } from '../support/path-gateway.ts'
import { aHold, change, evaluate, simulate, whenSwept } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { withRows } from './past-proof.ts'

/** Lets the count make its first step, and no other. */
const AFTER_ONE_STEP = `old.transaction_id <> '00000000-0000-0000-0000-000000000000'`

/** Rules that stop nothing, and show what they have counted. */
const flag = { type: 'limit', maxAmount: 900, effect: 'flag' }
const WHOLE = { ...flag, id: 'whole', window: 'period' }
const DAY = { ...flag, id: 'day', window: 'day' }
const HOUR = { ...flag, id: 'hour', window: '1h' }

describe('while a long past is being counted', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    gateway = createPathGateway(app)
    await app.rows(`
      create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not yet'; end $$`)
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(async () => {
    await gateway.stop()
    await app.stop()
  })

  /** Adds the rules, and does this before any step has counted, or after the first one. */
  async function whileCounting(
    id: string,
    rules: object[],
    run: () => Promise<unknown>,
    refused = 'true',
  ) {
    await withRows({ atOnce: 2, perStep: 2 }, async () => {
      await app.rows(`
        create trigger refused before update or delete on past_counts
        for each row when (${refused}) execute function refuse()`)
      try {
        const { warnings } = bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
        expect(warnings).toMatchObject([{ code: 'past_being_counted' }])
        await run()
      } finally {
        await app.rows('drop trigger refused on past_counts')
      }
      await waitUntil(async () => (await app.rows('select 1 from past_counts')).length === 0)
    })
  }

  /** What each rule has counted. */
  async function counted(agentId: string): Promise<Record<string, number>> {
    const { evaluationDetails } = await simulate(acme, agentId, { amount: 1 })
    const limits = evaluationDetails.rules.filter(({ type }) => type === 'limit')
    return Object.fromEntries(limits.map(({ id, observed }) => [id, Number(observed) - 1]))
  }

  async function aPast(fields: object = {}) {
    const mandate = await anActiveMandate(acme, { budgetTotal: 900, ...fields })
    for (const amount of [1, 2, 3]) await evaluate(acme, mandate.agentId, { amount })
    return mandate
  }

  test('a limit that took the figure of the budget follows every change at once', async () => {
    const { id, agentId } = await aPast()
    const voided = await aHold(acme, agentId, 10)
    const settled = await aHold(acme, agentId, 20)
    const { transactionId: captured } = await aHold(acme, agentId, 40)
    await whileCounting(id, [WHOLE, DAY], async () => {
      await change(acme, voided.transactionId, 'void')
      await change(acme, settled.transactionId, 'settle', 15)
      const capture = { amount: units(45), isFinal: true }
      await inPlace(app, acme, captured, (place) => gateway.capture(place, capture))
    })
    expect(await counted(agentId)).toEqual({ whole: 66, day: 66 })
  })

  test('a hold that expires leaves the figure of the budget, and comes back when it is settled', async () => {
    const { id, agentId } = await aPast()
    const now = Date.now()
    app.clock.now = now
    const { transactionId } = await aHold(acme, agentId, 10, '10s')
    await whileCounting(id, [WHOLE, DAY], async () => {
      app.clock.now = now + 11_000
      await whenSwept(app, app.clock.now)
      await change(acme, transactionId, 'settle', 8)
    })
    expect(await counted(agentId)).toEqual({ whole: 14, day: 14 })
  })

  test('more of a spend from before the window counts, because no step will come to it', async () => {
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2.5 * DAY_MS
    app.clock.now = noon
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 900 })
    const below = await anActiveMandate(acme, { budgetTotal: 900, parentMandateId: id })
    const transactionId = newId(noon)
    const spend = { transactionId, amount: units(10), holdMs: DAY_MS }
    await gateway.decide(aSubmission(acme, below.agentId, spend))
    app.clock.now = noon + 3 * HOUR_MS
    for (const amount of [1, 2, 3]) await evaluate(acme, agentId, { amount })
    await whileCounting(id, [HOUR], async () => {
      const capture = { amount: units(15), isFinal: true }
      await inPlace(app, acme, transactionId, (place) => gateway.capture(place, capture))
    })
    expect(await counted(agentId)).toEqual({ hour: 11 })
  })

  test('a change counts once on both sides of the position that the count has reached', async () => {
    const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 900 })
    const below = await anActiveMandate(acme, { budgetTotal: 900, parentMandateId: id })
    // Counted last, because its agent is the newer one, although it is the oldest spend.
    const { transactionId: captured } = await aHold(acme, below.agentId, 80)
    const settled = await aHold(acme, agentId, 10)
    const reached = await aHold(acme, agentId, 20)
    const ahead = await aHold(acme, agentId, 40)
    const changeAll = async () => {
      const at = [toUuid('txn', reached.transactionId)]
      const text = 'select 1 from past_counts where transaction_id = $1'
      await waitUntil(async () => (await app.rows(text, at)).length === 1)
      await change(acme, settled.transactionId, 'settle', 8)
      await change(acme, reached.transactionId, 'void')
      await change(acme, ahead.transactionId, 'void')
      const capture = { amount: units(85), isFinal: true }
      await inPlace(app, acme, captured, (place) => gateway.capture(place, capture))
    }
    await whileCounting(id, [WHOLE, DAY], changeAll, AFTER_ONE_STEP)
    expect(await counted(agentId)).toEqual({ whole: 93, day: 93 })
  })
})
