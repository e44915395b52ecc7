import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../src/storage/engine/database.ts'
import { isDeadlock } from '../../../src/storage/engine/storage-error.ts'
import { createTestApp, createTestAppOn } from '../../support/app.ts'
import { aKey } from '../../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../../support/database.ts'
import { aMember } from '../../support/people.ts'
import { countLockWaits, holdLocks } from '../../support/row-lock.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { pauseAfter } from '../../support/watched-database.ts'
import { HOST, openShop, type Shop } from './shop.ts'

type Stop = (shop: Shop, keyId: string) => Promise<unknown>

const STOPS: readonly (readonly [string, Stop])[] = [
  ['organization_frozen', ({ acme }) => acme.patch('/organization', { frozen: true })],
  ['agent_paused', ({ acme, agentId }) => acme.patch(`/agents/${agentId}`, { status: 'paused' })],
  ['mandate_revoked', ({ acme, mandateId }) => acme.post(`/mandates/${mandateId}/revoke`)],
  ['api_key_revoked', ({ acme }, keyId) => acme.delete(`/api-keys/${keyId}`)],
]

/** A shop whose agent is stopped once so many points after the hold are stored. */
async function openStopped(points: number, stop: Stop) {
  const database = await createTestDatabase()
  let stored = 0
  let carryOut = async (): Promise<unknown> => undefined
  const isPoint = (text: string) => /update acp_checkouts\s+set state/.test(text)
  const db = pauseAfter(database.db, isPoint, async () => {
    stored += 1
    if (stored === points) await carryOut()
  })
  const app = await createTestAppOn(database, db)
  onTestFinished(app.stop)
  const shop = await openShop({ app })
  const { key } = await aKey(app, shop.acme, { agentIds: [shop.agentId] })
  carryOut = () => stop(shop, key.id)
  return { shop, apiKey: key.apiKey, session: shop.merchant.openCheckout() }
}

/** Before the token is made, and after. */
const POINTS = [1, 2]

test.each(STOPS.flatMap(([code, stop]) => POINTS.map((points) => [code, points, stop] as const)))(
  '%s after %i points and before the completion: nothing is bought',
  async (code, points, stop) => {
    const { shop, apiKey, session } = await openStopped(points, stop)
    const fields = { vendor: HOST, checkoutSessionId: session }
    const answer = await shop.ask(fields, undefined, shop.app.client(apiKey))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({
      decision: 'approved',
      status: 'failed',
      failure: { code, retryable: false },
    })
    expect(shop.merchant.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
    expect((await shop.budget())[1]).toBe(0)
  },
)

test.each(STOPS)(
  '%s before a token is handed on: the client does not get it',
  async (_code, stop) => {
    const { shop, apiKey, session } = await openStopped(2, stop)
    const { status, body, transactionId } = await shop.delegate(apiKey, {
      checkout_session_id: session,
    })
    expect([status, body.code]).toEqual([403, 'mandate_denied'])
    await shop.becomes(transactionId, 'voided')
    expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
  },
)

test.each(POINTS)('a member who is removed after %i points buys nothing', async (points) => {
  let remove = async (): Promise<unknown> => undefined
  const { shop, session } = await openStopped(points, () => remove())
  const owner = await aMember(shop.app, shop.acme)
  const member = await aMember(shop.app, shop.acme, { role: 'admin' })
  remove = () => owner.delete(`/console/api/members/${member.id}`)
  const { status, text } = await member.post(
    '/api/v1/gateway/acp/checkouts',
    { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session },
    { 'idempotency-key': 'by-a-member' },
  )
  expect(status, text).toBe(200)
  const failure = { code: 'member_removed', retryable: false }
  expect(JSON.parse(text)).toMatchObject({ decision: 'approved', status: 'failed', failure })
  expect(shop.psp.tokens).toMatchObject([{ isRevoked: true, capturedMinor: 0 }])
  expect((await shop.budget())[1]).toBe(0)
})

test('a member who stays buys with the session', async () => {
  const shop = await openShop()
  const member = await aMember(shop.app, shop.acme, { role: 'admin' })
  const { text } = await member.post(
    '/api/v1/gateway/acp/checkouts',
    { agentId: shop.agentId, vendor: HOST, checkoutSessionId: shop.merchant.openCheckout() },
    { 'idempotency-key': 'by-a-member' },
  )
  expect(JSON.parse(text)).toMatchObject({ decision: 'approved', status: 'completed' })
})

describeOnPostgres('stopped before a token is asked for', () => {
  test('there is none to be made, and the hold is given back at once', async () => {
    const app = await createTestApp('postgres')
    onTestFinished(app.stop)
    const shop = await openShop({ app, issuer: 'delegate_payment' })
    const { db } = app.database
    const freeze = await holdLocks(db, { text: 'update organizations set frozen = true' })
    const asked = shop.buy(shop.merchant.openCheckout())
    await waitUntil(async () => (await countLockWaits(db)) > 0)
    await freeze.release()
    expect(await asked).toMatchObject({
      decision: 'approved',
      status: 'failed',
      failure: { code: 'organization_frozen', retryable: false },
    })
    expect(shop.psp.requests).toEqual([])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('several checkouts of one mandate give their holds back without a deadlock', async () => {
    const database = await createTestDatabase('postgres')
    const { db, counted } = countDeadlocks(database.db)
    const app = await createTestAppOn(database, db)
    onTestFinished(app.stop)
    const shop = await openShop({ app, issuer: 'delegate_payment', budget: 300 })
    const freeze = await holdLocks(database.db, { text: 'update organizations set frozen = true' })
    const asked = [1, 2, 3, 4].map(() => shop.buy(shop.merchant.openCheckout()))
    await waitUntil(async () => (await countLockWaits(database.db)) >= asked.length)
    await freeze.release()
    for (const { transactionId } of await Promise.all(asked)) {
      await shop.becomes(transactionId, 'voided')
      const { external } = await shop.transaction(transactionId)
      expect(external.failure?.code).toBe('organization_frozen')
    }
    expect(await shop.budget()).toEqual([0, 0, 300])
    expect(counted.deadlocks).toBe(0)
  })
})

/** The same database, which counts the transactions that it has ended because of a deadlock. */
function countDeadlocks(db: Database) {
  const counted = { deadlocks: 0 }
  const counting: Database = {
    ...db,
    async transaction(run, afterwards, organizationId) {
      try {
        return await db.transaction(run, afterwards, organizationId)
      } catch (error) {
        if (isDeadlock(error)) counted.deadlocks += 1
        throw error
      }
    },
  }
  return { db: counting, counted }
}
