import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import type { Database } from '../../../src/storage/engine/database.ts'
import { units } from '../../core/desk.ts'
import {
  type Answer,
  createTestApp,
  createTestAppThrough,
  type TestApp,
} from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../../support/database.ts'
import { countLockWaits, lockMandateRow } from '../../support/row-lock.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { withTimeEnough } from '../../support/time-enough.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type CardDesk, type DeskOptions as Options, openCardDesk } from './desk.ts'
import { knock, STRIPE_CARD, sample } from './door.ts'

interface DeskOptions extends Options {
  before?(desk: CardDesk): Promise<void>
}

/**
 * Whoever holds the mandate's row keeps every decision about it waiting. Asks meanwhile, with longer
 * and longer deadlines, until one was long enough for the decision to be reached.
 */
async function askWhileStuck<T>(
  options: DeskOptions,
  ask: (desk: CardDesk) => Promise<T>,
): Promise<{ readonly desk: CardDesk; readonly answer: T }> {
  return withTimeEnough(async (deadlineMs) => {
    const desk = await openCardDesk({
      ...options,
      connection: { deadlineMs, ...options.connection },
    })
    await options.before?.(desk)
    const { db } = desk.app.database
    const lock = await lockMandateRow(db, desk.mandateId)
    const asked = ask(desk)
    let isAnswered = false
    void asked.finally(() => {
      isAnswered = true
    })
    let isStuck = false
    await waitUntil(async () => {
      isStuck ||= (await countLockWaits(db)) > 0
      return isStuck || isAnswered
    })
    const answer = await asked
    await lock.release()
    return isStuck ? { desk, answer } : undefined
  })
}

const SAME = { requestId: 'same', authorizationId: 'same' }

/** A repeat has a deadline too, and on a busy machine it may pass as well. */
async function waitForSame(desk: CardDesk, { text }: Answer): Promise<void> {
  await waitUntil(async () => (await desk.ask(SAME)).text === text)
}

const FAILS_OPEN = { failMode: 'open', failOpenMaxAmount: units(40) } as const

describeOnPostgres('an issuer that waits', () => {
  test('is declined in time while the decision is stuck, and nothing stays held', async () => {
    const { desk, answer } = await askWhileStuck({}, (stuck) => stuck.ask(SAME))
    expect(answer.body).toMatchObject({
      decision: 'rejected',
      code: 'deadline_passed',
      networkCode: '91',
    })
    await waitUntil(async () => (await desk.transactions()).length === 1)
    expect(await desk.transactions()).toMatchObject([{ decision: 'rejected', heldAmount: 0 }])
    expect(await desk.budget()).toEqual([0, 0, 100])
    await waitForSame(desk, answer)
  })

  test('is approved unjudged where its connection fails open, and that is booked', async () => {
    const open = { connection: FAILS_OPEN }
    const { desk, answer } = await askWhileStuck(open, (stuck) => stuck.ask(SAME))
    expect(answer.body).toMatchObject({ decision: 'approved', approvedAmount: 30 })
    await waitUntil(async () => (await desk.budget())[0] === 30)
    const recorded = (await desk.transactions()).filter(({ code }) => code === 'recorded')
    expect(recorded).toMatchObject([{ heldAmount: 30, flags: ['ungoverned'] }])
    await waitForSame(desk, answer)
    const capture = { authorizationId: 'same', amount: 30, currency: 'USD', final: true }
    await desk.tell('capture', capture)
    expect(await desk.budget()).toEqual([30, 0, 70])
    const [settled] = (await desk.transactions()).filter(({ code }) => code === 'recorded')
    expect(settled?.flags).toContain('ungoverned')
  })

  test('leaves the purchase to the agent that has the card, not to the one remembered', async () => {
    let agentId = ''
    const before = async (desk: CardDesk) => {
      await waitUntil(async () => (await desk.ask()).body.decision === 'approved')
      agentId = (await anActiveMandate(desk.acme)).agentId
      const cardId = toPublicId('card', desk.card.id)
      bodyOf(await desk.acme.patch(`/cards/${cardId}`, { agentId }))
    }
    const { desk, answer } = await askWhileStuck({ before }, (stuck) => stuck.ask(SAME))
    expect(answer.body).toMatchObject({ decision: 'rejected', code: 'deadline_passed' })
    const begun = () =>
      desk.app.rows(
        `select agent_id as "agentId" from card_authorizations
         where organization_id = $1 and external_id = 'same'`,
        [desk.acme.organizationId],
      )
    await waitUntil(async () => (await begun()).length > 0)
    expect(await begun()).toEqual([{ agentId }])
    await waitForSame(desk, answer)
  })

  test.each<
    [why: string, ask: (desk: CardDesk) => Promise<Answer>, before?: DeskOptions['before']]
  >([
    ['an amount beyond its limit', (desk) => desk.ask({ amount: 41 })],
    ['a purchase that grows beyond it', (desk) => desk.ask(GROWN), approveFirst],
    ['a dangerous trade', (desk) => desk.ask({ merchant: CASINO })],
    ['a paused agent', (desk) => desk.ask(), pauseAgent],
    ['a frozen organization', (desk) => desk.ask(), freeze],
  ])('is declined although its connection fails open: %s', async (_why, ask, before) => {
    const options = { connection: FAILS_OPEN, ...(before && { before }) }
    const { answer } = await askWhileStuck(options, ask)
    expect(answer.body).toMatchObject({ decision: 'rejected', code: 'deadline_passed' })
  })
})

const CASINO = { name: 'LUCKY SEVEN', id: '1', mcc: '7995', country: 'US' }

const GROWN = { authorizationId: 'grown', type: 'incremental', amount: 30 }

/** On a busy machine a first try may be declined at its deadline, or be booked after its answer. */
async function approveFirst(desk: CardDesk): Promise<void> {
  const first = { ...GROWN, type: 'initial' }
  await waitUntil(async () => (await desk.ask(first)).body.decision === 'approved')
  await waitUntil(async () => ((await desk.budget())[0] ?? 0) >= 30)
}

async function pauseAgent({ acme, agentId }: CardDesk): Promise<void> {
  await acme.patch(`/agents/${agentId}`, { status: 'paused' })
}

async function freeze({ acme }: CardDesk): Promise<void> {
  await acme.patch('/organization', { frozen: true })
}

describeOnPostgres('an issuer that waits while the store', () => {
  let proxy: TcpProxy
  let app: TestApp
  let desk: CardDesk

  async function open(connection: object): Promise<void> {
    desk = await openCardDesk({
      app,
      connection: { provider: 'stripe', ...connection },
      card: { externalId: STRIPE_CARD },
    })
  }
  const ask = (body: string | object = sample('stripe/01_request_initial')) =>
    knock({
      app,
      provider: 'stripe',
      token: desk.token,
      door: 'authorization',
      body: body as string,
    })

  beforeEach(async () => {
    const database = await createTestDatabase('postgres')
    proxy = await startTcpProxy(database.url)
    app = await createTestAppThrough(proxy.url, database)
  })
  afterEach(async () => {
    await app.stop()
    await proxy.close()
  })

  test('is away, is declined, also where it would fail open, and asked to tell events again', async () => {
    await open({ failMode: 'open', failOpenMaxAmount: units(500), deadlineMs: 1_000 })
    // Its connection is known from before.
    await ask('{')
    proxy.goAway()
    const answer = await ask()
    const told = await knock({
      app,
      provider: 'stripe',
      token: desk.token,
      door: 'events',
      body: sample('stripe/13_txn_force_capture'),
    })
    proxy.comeBack()
    expect(answer).toMatchObject({ status: 200, body: { approved: false } })
    expect(told.status).toBe(503)
  })

  test('has committed an approval that we never heard of, is declined, and nothing stays held', async () => {
    await withTimeEnough(async (deadlineMs) => {
      if (deadlineMs > 5_000) throw new Error('It is too slow for a deadline of a connection.')
      await open({ deadlineMs })
      await ask('{')
      const goOn = proxy.stallAnswerTo('commit')
      const answer = await ask()
      goOn()
      expect(answer.body).toMatchObject({ approved: false })
      await waitUntil(async () => (await desk.transactions()).length === 1)
      await waitUntil(async () => (await desk.budget())[1] === 0)
      const [transaction] = await desk.transactions()
      return transaction?.status === 'voided' ? transaction : undefined
    })
    expect(await desk.budget()).toEqual([0, 0, 100])
    expect(await audit(app.database.db)).toEqual([])
  })
})

describeOnPostgres('what was approved unjudged', () => {
  test('is booked although the store went away before it could be', async () => {
    await withTimeEnough(async (deadlineMs) => {
      const database = await createTestDatabase('postgres')
      const proxy = await startTcpProxy(database.url)
      const app = await createTestAppThrough(proxy.url, database)
      const lateStop = async () => {
        await app.stop()
        await proxy.close()
      }
      const desk = await openCardDesk({ app, connection: { deadlineMs, ...FAILS_OPEN } })
      const lock = await lockMandateRow(database.db, desk.mandateId)
      const answer = await desk.ask(SAME)
      if (answer.body.decision !== 'approved') {
        await lock.release()
        await lateStop()
        return undefined
      }
      proxy.goAway()
      await lock.release()
      await waitUntil(() => proxy.refused > 0)
      proxy.comeBack()
      await waitUntil(async () => (await recordedAt(database.db)).length === 1)
      expect(await recordedAt(database.db)).toEqual([{ amount: 30_000_000n, code: 'recorded' }])
      await lateStop()
      return answer
    })
  })
})

function recordedAt(db: Database): Promise<object[]> {
  return db.query({ text: "select amount, code from transactions where code = 'recorded'" })
}

test('an organization that has used up its plan is declined, and not told to come back', async () => {
  const app = await createTestApp()
  onTestFinished(app.stop)
  const acme = await app.organization()
  const desk = await openCardDesk({ app, acme })
  await app.rows("update organizations set plan = 'free' where id = $1", [acme.organizationId])
  await app.rows(
    `insert into plan_usage (organization_id, month, evaluations)
     values ($1, date_trunc('month', now() at time zone 'UTC'), 1000)
     on conflict (organization_id, month) do update set evaluations = 1000`,
    [acme.organizationId],
  )
  const { status, body } = await desk.ask()
  expect(status).toBe(200)
  expect(body).toMatchObject({ decision: 'rejected', code: 'plan_limit_exceeded' })
})
