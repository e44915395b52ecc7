import { expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { newId } from '../../src/storage/new-id.ts'
import { someCard, units } from '../core/desk.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, aRevokedMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway, inPlace } from '../support/path-gateway.ts'
import { budgetOf, readTransaction } from '../support/spends.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import type { Flow } from './stage.ts'

/** What a path asks of the gateway, beside decisions. */
export const pathsFlow: Flow = (stage) => {
  test('a hold is raised, and captured in parts', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme)
    const gateway = createPathGateway(app, db)
    const hold = await gateway.decide(aSubmission(acme, agentId, { holdMs: HOUR_MS }))
    await inPlace(app, acme, hold.id, (place) => gateway.raise(place, units(5)))
    const parts = [
      { amount: units(4), isFinal: false },
      { amount: units(8), isFinal: true },
    ]
    for (const part of parts) {
      await inPlace(app, acme, hold.id, (place) => gateway.capture(place, part))
    }
    expect(await budgetOf(acme, id)).toEqual([12, 0, 88])
    await gateway.stop()
    expect(await audit(app.database.db)).toEqual([])
  })

  test('a decision that comes long after its id is found by its time', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const gateway = createPathGateway(app, db)
    const transactionId = newId(Date.now() - 2 * HOUR_MS)
    await gateway.decide(aSubmission(acme, agentId, { transactionId }))
    await gateway.stop()
    const from = new Date(Date.now() - HOUR_MS).toISOString()
    const { data } = bodyOf(await acme.get(`/transactions?from=${from}`))
    expect(data).toMatchObject([{ transactionId: toPublicId('txn', transactionId) }])
  })

  test('a card purchase grows, and comes to what its issuer says', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme)
    const gateway = createPathGateway(app, db)
    const hold = { path: 'card', holdMs: Number.POSITIVE_INFINITY } as const
    const first = await gateway.decide(aSubmission(acme, agentId, { ...hold, card: someCard() }))
    const card = someCard({ total: units(15) })
    const spend = { ...hold, amount: units(5), card }
    const more = await gateway.decide(aSubmission(acme, agentId, spend))
    const end = { held: 0n, refunded: 0n, end: 'voided', flags: [] } as const
    const targets = new Map([
      [first.id, { ...end, captured: units(10) }],
      [more.id, { ...end, captured: units(2) }],
    ])
    const { organizationId } = acme
    await db.transaction((tx) => gateway.adjust({ tx, organizationId }, targets))
    expect(await budgetOf(acme, id)).toEqual([12, 0, 88])
    await gateway.stop()
    expect(await audit(app.database.db)).toEqual([])
  })

  test('money that moved unasked is recorded on the last mandate', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId, id } = await aRevokedMandate(acme)
    const gateway = createPathGateway(app, db)
    const recorded = await gateway.record(aSubmission(acme, agentId))
    const transaction = await readTransaction(acme, toPublicId('txn', recorded.id))
    expect(transaction).toMatchObject({ code: 'recorded', flags: ['ungoverned'] })
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
    await gateway.stop()
  })

  test('an approval that was in time is told again, also to who has no deadline', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const gateway = createPathGateway(app, db)
    const idempotency = anIdempotencyKey(agentId, 'in-time')
    const answerBy = performance.now() + HOUR_MS
    const hurried = aSubmission(acme, agentId, { holdMs: HOUR_MS }, { idempotency, answerBy })
    const { id } = await gateway.decide(hurried)
    // The answer comes before the key is given back, which it is once the gateway has stopped.
    await gateway.stop()
    expect((await gateway.recall(acme.organizationId, idempotency))?.id).toBe(id)
  })

  test('an approval that is stored after its deadline is taken back', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme)
    await withTimeEnough(async (withinMs) => {
      const answerBy = performance.now() + withinMs
      // The deadline passes right after the commit, whose answer is kept back until then.
      const slow: typeof db = {
        ...db,
        transaction: async (run, afterwards) =>
          db.transaction(run, async (session, isCommitted) => {
            while (afterwards && performance.now() < answerBy);
            await afterwards?.(session, isCommitted)
          }),
      }
      const gateway = createPathGateway(app, slow)
      const idempotency = anIdempotencyKey(agentId, `late-${withinMs}`)
      const submission = aSubmission(acme, agentId, { holdMs: HOUR_MS }, { idempotency, answerBy })
      expect((await gateway.decide(submission)).code).toBe('deadline_passed')
      await gateway.stop()
      const stored = await readTransaction(acme, toPublicId('txn', submission.spend.transactionId))
      return stored.status === 'voided' ? stored : undefined
    })
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })
}
