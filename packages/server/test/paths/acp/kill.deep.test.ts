import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway-process.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShop, type Shop } from './shop.ts'

const NEVER = new Promise<never>(() => {})
const TRIES_MAX = 20

/** Where the others let a gateway wait, the point that is stored then, and how the purchase must end. */
interface Point {
  readonly state: string
  readonly stall: (shop: Shop, session: string) => void
  readonly ends: 'settled' | 'voided'
}

const POINTS: Readonly<Record<string, Point>> = {
  'before the token is made': {
    state: 'minting',
    stall: ({ psp }) => psp.failNext('issue', { until: NEVER }),
    ends: 'voided',
  },
  'after the token was made, before it was heard of': {
    state: 'minting',
    stall: ({ psp }) => psp.failNext('issue', { until: NEVER, after: true }),
    ends: 'voided',
  },
  'before the session is looked at again': {
    state: 'minted',
    stall: ({ merchant }) => {
      // The first look is answered, the second is not.
      merchant.failNext('look', { until: Promise.resolve() })
      merchant.failNext('look', 'silence')
    },
    ends: 'voided',
  },
  'before the merchant gets the completion': {
    state: 'completing',
    stall: ({ merchant }) => merchant.failNext('complete', 'silence'),
    ends: 'voided',
  },
  'after the order was made, before it was heard of': {
    state: 'completing',
    stall: ({ merchant }) => merchant.failNext('complete', 'then_silence'),
    ends: 'settled',
  },
  'while the payment is declined': {
    state: 'closing',
    stall: ({ merchant, psp }, session) => {
      merchant.turnNext(session, 'decline')
      psp.failNext('revoke', 'silence')
    },
    ends: 'voided',
  },
  'before the rest of the token is taken back': {
    state: 'completed',
    stall: ({ merchant, psp }, session) => {
      merchant.changeAtCompletion(session, { deliveryMinor: 100 })
      psp.failNext('revoke', 'silence')
    },
    ends: 'settled',
  },
}

describeOnPostgres('a gateway that is killed', () => {
  describe.each(Object.entries(POINTS))('%s', (_name, { state, stall, ends }) => {
    test('leaves a checkout that another one takes to its end', async () => {
      const { app, shop } = await openSite()
      const first = await startGatewayProcess({ DATABASE_URL: app.database.url })
      onTestFinished(first.kill)
      const session = shop.merchant.openCheckout()
      stall(shop, session)
      const asked = ask(first, shop, session).catch(() => {})
      await waitUntil(async () => (await stateOf(shop)) === state)
      await first.kill()
      await asked
      const [spent, held] = await shop.budget()
      expect([spent, held]).toEqual(state === 'completed' ? [41, 0] : [45, 45])
      await expectEnd(shop, session, ends)
    })
  })

  test('right after its decision leaves nothing but a hold, which is given back', async () => {
    const { app, shop } = await openSite()
    const proxy = await startTcpProxy(app.database.url)
    onTestFinished(proxy.close)
    const first = await startGatewayProcess({ DATABASE_URL: proxy.url })
    onTestFinished(first.kill)
    const { session, asked } = await findStuck(async () => {
      const session = shop.merchant.openCheckout()
      const goOn = proxy.stallAnswerTo('commit')
      let isOver = false
      const asked = ask(first, shop, session).then(
        () => {
          isOver = true
        },
        () => {},
      )
      const text = 'select state from acp_checkouts where session_id = $1'
      const stored = async () => (await app.rows<{ state: string }>(text, [session]))[0]?.state
      await waitUntil(async () => isOver || (await stored()) !== undefined)
      if ((await stored()) === 'held' && !isOver) return { session, asked }
      goOn()
      await asked
      return undefined
    })
    await first.kill()
    await asked
    await expectEnd(shop, session, 'voided')
    expect(shop.psp.tokens.filter(({ capturedMinor }) => capturedMinor === 0)).toEqual([])
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

async function stateOf({ app }: Shop): Promise<string | undefined> {
  const [row] = await app.rows<{ state: string }>('select state from acp_checkouts')
  return row?.state
}

/** What is booked is what the provider has taken, and the repeat of the request is told the same. */
async function expectEnd(shop: Shop, session: string, ends: Point['ends']): Promise<void> {
  const text = `select 'txn_' || replace(id::text, '-', '') as id from acp_checkouts where session_id = $1`
  const [row] = await shop.app.rows<{ id: string }>(text, [session])
  const id = row?.id ?? ''
  // The claim of the gateway that is gone is over.
  await shop.app.rows(
    'update acp_checkouts set next_check_at = now() where next_check_at is not null',
  )
  await shop.becomes(id, ends)
  await waitUntil(async () =>
    ['settled', 'released'].includes((await stateAt(shop, session)) ?? ''),
  )
  const taken = shop.psp.tokens.reduce((sum, { capturedMinor }) => sum + capturedMinor, 0)
  expect(await shop.budget()).toEqual([taken / 100, 0])
  const sold = shop.merchant.orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  expect(sold).toBe(taken)
  const again = await shop.ask(
    { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session },
    session,
  )
  expect(again.body.status).toBe(ends === 'settled' ? 'completed' : 'failed')
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(await audit(shop.app.database.db)).toEqual([])
}

async function stateAt({ app }: Shop, session: string): Promise<string | undefined> {
  const text = 'select state from acp_checkouts where session_id = $1'
  const [row] = await app.rows<{ state: string }>(text, [session])
  return row?.state
}

async function findStuck<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let count = 1; count <= TRIES_MAX; count += 1) {
    const found = await attempt()
    if (found !== undefined) return found
  }
  throw new Error('No decision could be stopped between its commit and what follows.')
}
