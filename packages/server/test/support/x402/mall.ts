import { createTestApp, type TestApp } from '../app.ts'
import { type Bench, startBench } from './bench.ts'
import type { Transfer } from './chain.ts'
import { configOf, furnish, type Shop, type ShopSettings } from './shop.ts'
import type { VendorRequest } from './vendor.ts'

/** A payment as stored in the database. */
export interface StoredPayment {
  readonly nonce: string
  readonly state: string
  /** How often the chain was queried about it, including a query in progress. */
  readonly checks: number
}

/**
 * One shop among others. Its organization lets the gateway call vendors, unless a test says
 * otherwise.
 */
export interface FetchShop extends Shop {
  /** The transfers from the wallet of this shop, oldest first. */
  moved(): Promise<readonly Transfer[]>
  /** Requests to the honest vendor since the shop was opened. */
  visits(): readonly VendorRequest[]
  /** The payments among them, as header values. */
  paymentsSeen(): readonly string[]
  /** All payments that were approved for signing, oldest first. */
  stored(): Promise<readonly StoredPayment[]>
}

interface ShopTerms extends Pick<ShopSettings, 'budget' | 'rules' | 'funds'> {
  readonly x402Fetch?: boolean
}

/**
 * One chain, one vendor and one app, in which every test opens a shop with its own organization,
 * wallet and budget. Starting all of it for each test would take most of the time.
 */
export interface Mall extends Bench {
  readonly app: TestApp
  openShop(terms?: ShopTerms): Promise<FetchShop>
  stop(): Promise<void>
}

export async function startMall(settings: ShopSettings = {}): Promise<Mall> {
  const bench = await startBench(settings)
  const app = await createTestApp(settings.engine, configOf(bench, settings), settings.log)
  return {
    ...bench,
    app,
    async openShop({ x402Fetch = true, ...terms } = {}) {
      const acme = await app.organization()
      await acme.patch('/organization', { x402Fetch })
      return toFetchShop({ ...bench, app, ...(await furnish(acme, bench, terms)) })
    },
    async stop() {
      await app.stop()
      await bench.stop()
    },
  }
}

function toFetchShop(shop: Shop): FetchShop {
  const { acme, app, chain, vendor, wallet } = shop
  const visitsBefore = vendor.requests.length
  const visits = () => vendor.requests.slice(visitsBefore)
  return {
    ...shop,
    moved: async () =>
      (await chain.transfers()).filter(({ from }) => from.toLowerCase() === wallet),
    visits,
    paymentsSeen: () => visits().flatMap(({ headers }) => headers['payment-signature'] ?? []),
    stored: () =>
      app.rows<StoredPayment>(
        'select nonce, state, checks from x402_payments where organization_id = $1 order by created_at',
        [acme.organizationId],
      ),
  }
}
