import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../../src/gateway/gateway.ts'
import { createAuthorizer } from '../../../src/paths/card/authorize.ts'
import { hear } from '../../../src/paths/card/events.ts'
import type { CardEvent, CardRequest } from '../../../src/paths/card/issuers/issuer.ts'
import { bookAuthorization } from '../../../src/paths/card/ledger/book.ts'
import type { Fact, RequestFact } from '../../../src/paths/card/ledger/facts.ts'
import type { OpenedConnection } from '../../../src/paths/card/registry/connection.ts'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { createPathGateway } from '../../support/path-gateway.ts'
import { silentLog } from '../../support/silent-log.ts'
import { type CardDesk, openCardDesk } from './desk.ts'
import { ordersOf, SCENARIOS, type Scenario } from './ledger/scenarios.ts'
import { UNCOUNTED } from './ledger/uncounted-scenarios.ts'

/*
 * The scenarios of the ledger with a database: from what an issuer asks and tells to the figures of
 * the mandate, in a few orders of each.
 */

const MERCHANT = {
  network: 'visa',
  id: '100200300400',
  name: 'EXAMPLE SAAS',
  url: null,
  mcc: '5734',
  country: 'US',
}
const CARD = { externalId: 'tok_1', last4: null, state: null }
const AUTHORIZATION = 'purchase'

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

function createIssuer(desk: CardDesk) {
  const { organizationId } = desk.acme
  const connection: OpenedConnection = {
    ...desk.connection,
    organizationId,
    secrets: { authorization: [], events: [] },
  }
  const { db } = app.database
  const health = { note: () => {} }
  const common = { db, gateway, health, now: app.time.estimate, log: silentLog }
  const parts = { ...common, clock: app.time.read, wakeBooking: () => {} }
  const { authorize } = createAuthorizer(parts)

  /** What is to be declined is asked for while the card is paused. */
  async function ask({ id, at, index, amount, isApproved }: RequestFact): Promise<void> {
    const setStatus = (status: string) =>
      app.rows('update cards set status = $2 where id = $1', [desk.card.id, status])
    const request: CardRequest = {
      kind: 'request',
      requestId: id,
      authorizationId: AUTHORIZATION,
      index,
      isLive: null,
      type: 'authorization',
      card: CARD,
      amount,
      total: null,
      currency: 'USD',
      merchantAmount: null,
      merchantCurrency: null,
      merchant: MERCHANT,
      initiator: 'unknown',
      partialSupported: false,
      at,
      echo: null,
    }
    if (!isApproved) await setStatus('paused')
    const { verdict } = await authorize(connection, request, performance.now())
    if (!isApproved) await setStatus('active')
    expect(verdict.isApproved).toBe(isApproved)
  }

  async function tell(fact: CardEvent['facts'][number]): Promise<void> {
    await hear(parts, connection, {
      kind: 'event',
      eventId: fact.id,
      isLive: null,
      at: fact.at,
      authorizationId: AUTHORIZATION,
      ofTransaction: null,
      card: CARD,
      currency: 'USD',
      merchant: MERCHANT,
      facts: [fact],
      cardStatus: null,
      decidedWithoutUs: null,
    })
  }

  return {
    learn: (fact: Fact) => (fact.kind === 'request' ? ask(fact) : tell(fact)),
    /** As the worker does after a decision that came after events. */
    async bookOnceMore(): Promise<void> {
      const text = 'select id from card_authorizations where connection_id = $1'
      const [row] = await app.rows<{ id: string }>(text, [connection.id])
      if (row) await bookAuthorization(parts, organizationId, row.id)
    },
  }
}

/** Everything that the issuer's words have come to. */
async function endOf(desk: CardDesk) {
  const [row] = await app.rows<{ held: bigint; captured: bigint; refunded: bigint }>(
    'select held, captured, refunded from card_authorizations where connection_id = $1',
    [desk.connection.id],
  )
  const sums = [row?.held, row?.captured, row?.refunded].map((sum) => Number(sum ?? 0n) / 1e6)
  const rows = (await desk.transactions()).filter(({ decision }) => decision === 'approved')
  const transactions = rows.map((transaction) => [
    transaction.heldAmount,
    transaction.settledAmount,
    transaction.refundedAmount,
    ...transaction.flags.filter((flag) => !flag.startsWith('merchant_')),
  ])
  const [spent, held] = await desk.budget()
  return { sums, transactions: transactions.sort(), spent, held }
}

function expectedOf({ ends }: Scenario) {
  const { held, captured, refunded } = ends
  const transactions = Object.values(ends.transactions).map((ending) => [...ending])
  const sums = [held, captured, refunded]
  return { sums, transactions: transactions.sort(), spent: held + captured - refunded, held }
}

function someOrders({ facts }: Scenario): Fact[][] {
  const orders = ordersOf(facts)
  const places = new Set([Math.floor(orders.length / 2), orders.length - 1])
  return [...places].map((place) => orders[place] ?? [])
}

describe.each([...SCENARIOS, ...UNCOUNTED])('$name', (scenario) => {
  test('is booked the same in every order, however often it is told', async () => {
    for (const order of someOrders(scenario)) {
      const desk = await openCardDesk({ app, budget: 1_000 })
      const issuer = createIssuer(desk)
      for (const fact of order) await issuer.learn(fact)
      for (const fact of order.toReversed()) await issuer.learn(fact)
      await issuer.bookOnceMore()
      const names = order.map(({ id }) => id).join(' ')
      expect(await endOf(desk), names).toEqual(expectedOf(scenario))
    }
  })
})

test('the books agree with the transactions after all that', async () => {
  expect(await audit(app.database.db)).toEqual([])
})
