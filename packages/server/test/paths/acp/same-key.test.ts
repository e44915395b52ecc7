import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../src/storage/engine/database.ts'
import { createTestAppOn } from '../../support/app.ts'
import { aKey } from '../../support/builders.ts'
import { createTestDatabase } from '../../support/database.ts'
import { HOST, openShop } from './shop.ts'

/** A shop where something happens once, between two statements of whoever asks next. */
async function openWatched(isPlace: (text: string) => boolean) {
  const database = await createTestDatabase()
  let meanwhile: (() => Promise<unknown>) | undefined
  const db: Database = {
    ...database.db,
    async query(statement) {
      const rows = await database.db.query(statement)
      const run = isPlace(statement.text) ? meanwhile : undefined
      if (run) meanwhile = undefined
      await run?.()
      return rows as never
    },
  }
  const app = await createTestAppOn(database, db)
  onTestFinished(app.stop)
  const shop = await openShop({ app })
  const happens = (run: () => Promise<unknown>) => {
    meanwhile = run
  }
  return { shop, session: shop.merchant.openCheckout(), happens }
}

/** The merchant is found before the session is asked about, and that before it is fetched. */
const PLACES: readonly (readonly [string, RegExp])[] = [
  ['before it looks whether the session is used', /from vendors/],
  ['before it fetches the session', /select id, agent_id as "agentId" from acp_checkouts/],
]

test.each(PLACES)('a repeat that its first try overtakes %s gets that answer', async (_, place) => {
  const { shop, session, happens } = await openWatched((text) => place.test(text))
  const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
  let first: unknown
  happens(async () => {
    first = (await shop.ask(fields, 'toner-1')).body.transactionId
  })
  const { status, body, headers } = await shop.ask(fields, 'toner-1')
  expect([status, body.transactionId, body.status]).toEqual([200, first, 'completed'])
  expect(headers['idempotent-replayed']).toBe('true')
  expect(shop.merchant.orders).toHaveLength(1)
})

test.each(PLACES)('so does a client of the protocol, %s', async (_, place) => {
  const { shop, session, happens } = await openWatched((text) => place.test(text))
  const { key } = await aKey(shop.app, shop.acme, { agentIds: [shop.agentId] })
  const ask = () =>
    shop.delegate(
      key.apiKey,
      { checkout_session_id: session },
      { headers: { 'idempotency-key': 'toner-1' } },
    )
  let first = ''
  happens(async () => {
    first = (await ask()).text
    shop.merchant.change(session, { status: 'completed' })
  })
  const again = await ask()
  expect([again.status, again.text]).toEqual([201, first])
  expect(shop.psp.tokens).toHaveLength(1)
})
