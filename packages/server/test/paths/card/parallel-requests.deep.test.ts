import { expect, onTestFinished, test } from 'vitest'
import { createTestApp, joinTestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { countLockWaits, holdLocks, lockMandateRow } from '../../support/row-lock.ts'
import { withTimeEnough } from '../../support/time-enough.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type CardDesk, type DeskOptions, openCardDesk } from './desk.ts'

const MAX_75 = { mandate: { rules: [{ type: 'amount', max: 75 }] }, budget: 1_000 } as const
const ASK_ABOVE_75 = {
  mandate: { rules: [{ type: 'approval', above: 75 }] },
  budget: 1_000,
} as const

const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const MORE = { authorizationId: 'one', type: 'incremental', amount: 40 }

/** All of them wait for the mandate together, so that each could read before the others write. */
async function askTogether<T>(
  { app, mandateId }: CardDesk,
  ask: () => Promise<T>,
  waits: number,
): Promise<T> {
  const { db } = app.database
  const lock = await lockMandateRow(db, mandateId)
  let isOver = false
  const asked = ask().finally(() => {
    isOver = true
  })
  await waitUntil(async () => isOver || (await countLockWaits(db)) >= waits)
  await lock.release()
  return asked
}

describeOnPostgres('requests of one authorization at the same time', () => {
  test.each([
    ['amount.max', MAX_75, 'amount_above_max'],
    ['approval.above', ASK_ABOVE_75, 'approval_required'],
  ] as const)('do not pass above %s together', async (_rule, options, code) => {
    const desk = await openCardDesk(options)
    await desk.ask({ authorizationId: 'one' })
    const answers = await times(2, () => desk.ask(MORE))
    expect(answers.map(({ body }) => body.code).sort()).toEqual([code, 'approved'].sort())
    expect((await desk.budget())[0]).toBe(70)
    expect(await audit(desk.app.database.db)).toEqual([])
  })

  test.each([
    ['in one batch', false],
    ['in two processes', true],
  ])('see what the one before left %s', async (_where, isApart) => {
    const desk = await openCardDesk(MAX_75)
    const other = isApart ? await besides(desk) : desk
    await desk.ask({ authorizationId: 'one' })
    // The card is known to both, so that both wait behind the mandate's lock with all they read.
    await other.ask({ authorizationId: 'two', requestId: 'two', amount: 1 })
    const ask = () =>
      Promise.all([
        desk.ask({ ...MORE, requestId: 'first' }),
        other.ask({ ...MORE, requestId: 'second' }),
      ])
    const answers = await askTogether(desk, ask, isApart ? 2 : 1)
    const codes = answers.map(({ body }) => body.code).sort()
    expect(codes).toEqual(['amount_above_max', 'approved'])
    expect((await desk.budget())[0]).toBe(71)
  })

  test('that are all the first pass above amount.max neither', async () => {
    const desk = await openCardDesk(MAX_75)
    const answers = await times(3, () => desk.ask({ authorizationId: 'one' }))
    const approved = answers.filter(({ body }) => body.decision === 'approved')
    expect(approved).toHaveLength(2)
    expect((await desk.budget())[0]).toBe(60)
  })

  test('that name a sum are judged by what is added to what was just approved', async () => {
    const desk = await openCardDesk({ budget: 1_000 })
    await desk.ask({ authorizationId: 'one' })
    await times(3, (index) => {
      const totalAmount = 40 + 10 * index
      return desk.ask({ ...MORE, amount: 10, totalAmount })
    })
    expect((await desk.budget())[0]).toBe(60)
  })
})

async function besides(desk: CardDesk): Promise<CardDesk> {
  const app = await joinTestApp(desk.app)
  onTestFinished(app.stop)
  const acme = app.client(desk.acme.apiKey)
  return { ...desk, ask: (fields) => askAs(desk, acme, fields) }
}

function askAs(
  { connectionId, card }: CardDesk,
  acme: { post: CardDesk['acme']['post'] },
  fields: object = {},
) {
  return acme.post('/gateway/card/authorize', {
    connectionId,
    type: 'initial',
    card: { externalId: card.externalId },
    amount: 30,
    currency: 'USD',
    merchant: { name: 'EXAMPLE SAAS', id: '100200300400', mcc: '5734', country: 'US' },
    occurredAt: '2026-11-01T00:01:00.000Z',
    ...fields,
  })
}

describeOnPostgres('a card', () => {
  const OPTIONS: DeskOptions = { budget: 100 }

  test('that moved to another agent is judged by the mandate of that agent', async () => {
    const desk = await openCardDesk(OPTIONS)
    const { app, acme, card } = desk
    await desk.ask()
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 50 })
    await app.rows('update cards set agent_id = $2 where id = $1', [card.id, agentId])
    expect((await desk.ask({ amount: 60 })).body).toMatchObject({
      code: 'budget_exceeded',
      agentId,
    })
    expect((await desk.ask({ amount: 40 })).body).toMatchObject({ code: 'approved', agentId })
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('that is paused while a request waits for the mandate is declined', async () => {
    const desk = await openCardDesk(OPTIONS)
    await desk.ask()
    const { db } = desk.app.database
    const lock = await lockMandateRow(db, desk.mandateId)
    const asked = desk.ask()
    await waitUntil(async () => (await countLockWaits(db)) > 0)
    await desk.app.rows("update cards set status = 'paused' where id = $1", [desk.card.id])
    await lock.release()
    expect((await asked).body.code).toBe('card_paused')
  })
})

describeOnPostgres('a decline at the deadline', () => {
  test.each([
    ['that the process knows', true],
    ['that the process meets for the first time', false],
  ])('is stored also while the facts of a card are read %s', async (_card, isKnown) => {
    await withTimeEnough(async (deadlineMs) => {
      const app = await createTestApp('postgres')
      try {
        const desk = await openCardDesk({ app, connection: { deadlineMs } })
        if (isKnown) await desk.ask()
        const held = await holdLocks(app.database.db, {
          text: 'lock table card_facts in access exclusive mode',
        })
        const same = { requestId: 'same', authorizationId: 'same' }
        const first = await desk.ask(same)
        await held.release()
        if (first.body.code !== 'deadline_passed') return undefined
        await waitUntil(async () => {
          const rows = await desk.transactions()
          return rows.some(({ code }) => code === 'deadline_passed')
        })
        await waitUntil(
          async () => (await desk.ask(same)).headers['idempotent-replayed'] === 'true',
        )
        const repeated = await desk.ask(same)
        expect(repeated.body).toMatchObject({ code: 'deadline_passed', decision: 'rejected' })
        if (isKnown) expect(repeated.text).toBe(first.text)
        return first
      } finally {
        await app.stop()
      }
    })
  })
})
