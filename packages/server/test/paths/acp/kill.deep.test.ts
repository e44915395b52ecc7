import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway-process.ts'
import { holdLocks } from '../../support/row-lock.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShop, type Shop } from './shop.ts'

/** Where the others let a gateway wait, and the point that is stored then. */
interface Point {
  readonly state: string
  /** `killed` is when the gateway is gone. */
  readonly stall: (shop: Shop, session: string, killed: Promise<void>) => void
}

const POINTS: Readonly<Record<string, Point>> = {
  'before the token is made': {
    state: 'minting',
    stall: ({ psp }, _session, until) => psp.failNext('issue', { until }),
  },
  'after the token was made, before it was heard of': {
    state: 'minting',
    stall: ({ psp }, _session, until) => psp.failNext('issue', { until, after: true }),
  },
  'before the session is looked at again': {
    state: 'minted',
    stall: ({ merchant }) => {
      // The first look is answered, the second is not.
      merchant.failNext('look', { until: Promise.resolve() })
      merchant.failNext('look', 'silence')
    },
  },
  'before the merchant gets the completion': {
    state: 'completing',
    stall: ({ merchant }) => merchant.failNext('complete', 'silence'),
  },
  'after the order was made, before it was heard of': {
    state: 'completing',
    stall: ({ merchant }) => merchant.failNext('complete', 'then_silence'),
  },
  'while the payment is declined': {
    state: 'closing',
    stall: ({ merchant, psp }, session) => {
      merchant.turnNext(session, 'decline')
      psp.failNext('revoke', 'silence')
    },
  },
  'before the rest of the token is taken back': {
    state: 'completed',
    stall: ({ merchant, psp }, session) => {
      merchant.changeAtCompletion(session, { deliveryMinor: 100 })
      psp.failNext('revoke', 'silence')
    },
  },
}

describeOnPostgres('a gateway that is killed', () => {
  describe.each(Object.entries(POINTS))('%s', (_name, { state, stall }) => {
    test('leaves a checkout that another one takes to its end', async () => {
      const { app, shop } = await openSite()
      const first = await startGatewayProcess({ DATABASE_URL: app.database.url })
      onTestFinished(first.kill)
      const session = shop.merchant.openCheckout()
      let tell = () => {}
      const killed = new Promise<void>((resolve) => {
        tell = resolve
      })
      stall(shop, session, killed)
      let isAnswered = false
      const asked = ask(first, shop, session).then(
        () => {
          isAnswered = true
        },
        () => {},
      )
      // A machine that is slow enough lets it go on before it is killed. Then too it must end well.
      await waitUntil(async () => isAnswered || (await stateAt(shop, session)) === state)
      await first.kill()
      tell()
      await asked
      await expectEnd(shop, session)
    })
  })

  test('right after its decision leaves nothing but a hold, which is given back', async () => {
    const { app, shop } = await openSite()
    const first = await startGatewayProcess({ DATABASE_URL: app.database.url })
    onTestFinished(first.kill)
    // The decision does not look at the key any more, and the next point does.
    const lock = await holdLocks(app.database.db, { text: 'select 1 from api_keys for update' })
    const session = shop.merchant.openCheckout()
    const asked = ask(first, shop, session).catch(() => {})
    await waitUntil(async () => (await stateAt(shop, session)) === 'held')
    await first.kill()
    await asked
    await lock.release()
    await expectEnd(shop, session)
    expect(shop.psp.tokens).toEqual([])
  })
})

/** The test's own app is the other gateway. */
async function openSite() {
  const app = await createTestApp('postgres')
  onTestFinished(app.stop)
  const shop = await openShop({ app, budget: 10_000 })
  return { app, shop: { ...shop, budget: async () => (await shop.budget()).slice(0, 2) } }
}

async function ask({ url }: GatewayProcess, shop: Shop, session: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/gateway/acp/checkouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.acme.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': session,
    },
    body: JSON.stringify({ agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }),
  })
  await answer.arrayBuffer()
}

/** What is booked is what the provider has taken, and the repeat of the request is told the same. */
async function expectEnd(shop: Shop, session: string): Promise<void> {
  const text = `select 'txn_' || replace(id::text, '-', '') as id from acp_checkouts where session_id = $1`
  const [row] = await shop.app.rows<{ id: string }>(text, [session])
  const id = row?.id ?? ''
  // The claim of the gateway that is gone is over.
  await shop.app.rows(
    'update acp_checkouts set next_check_at = now() where next_check_at is not null',
  )
  await waitUntil(async () =>
    ['settled', 'released'].includes((await stateAt(shop, session)) ?? ''),
  )
  const taken = shop.psp.tokens.reduce((sum, { capturedMinor }) => sum + capturedMinor, 0)
  expect((await shop.transaction(id)).status).toBe(taken > 0 ? 'settled' : 'voided')
  expect(await shop.budget()).toEqual([taken / 100, 0])
  const sold = shop.merchant.orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  expect(sold).toBe(taken)
  const again = await shop.ask(
    { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session },
    session,
  )
  expect(again.body.status).toBe(taken > 0 ? 'completed' : 'failed')
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(await audit(shop.app.database.db)).toEqual([])
}

async function stateAt({ app }: Shop, session: string): Promise<string | undefined> {
  const text = 'select state from acp_checkouts where session_id = $1'
  const [row] = await app.rows<{ state: string }>(text, [session])
  return row?.state
}
