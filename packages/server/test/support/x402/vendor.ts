import type { IncomingHttpHeaders } from 'node:http'
import {
  HTTPFacilitatorClient,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express, { type Express } from 'express'
import type { Address } from 'viem'
import { createAccount, NETWORK } from './chain.ts'
import { USDC, USDC_DOMAIN } from './lab-contracts.ts'
import { startLoopbackServer } from './loopback-server.ts'

export interface VendorRequest {
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed body, if it was JSON. */
  readonly body: unknown
}

export interface Vendor {
  readonly url: string
  readonly payTo: Address
  /** Every request, paid or not, in the order of arrival. */
  readonly requests: readonly VendorRequest[]
  stop(): Promise<void>
}

export interface VendorSettings {
  readonly facilitator: { readonly url: string }
  readonly payTo?: Address
  /** How long it waits for the facilitator. */
  readonly facilitatorTimeoutMs?: number
}

/** Base, where the test wallets have no money. */
const ELSEWHERE = 'eip155:8453'

/**
 * An honest vendor, made of the SDK's own middleware:
 *
 *     GET  /data              $0.01
 *     GET  /tiny              one atomic unit, a millionth of a dollar
 *     POST /echo              $0.02, gives the JSON of the request back
 *     GET  /dear              $25
 *     GET  /patient           $0.01, and takes a payment that is valid for an hour
 *     GET  /several           several offers: another chain, another scheme, dear, then $0.03
 *     GET  /broken            $0.01, and answers 500 once the payment is verified: nothing is settled
 *     GET  /upfront           $0.01, settled before the work
 *     GET  /upfront-broken    $0.01, settled before the work, which then fails
 *     GET  /free
 */
export async function startVendor({
  facilitator,
  payTo = createAccount().address,
  facilitatorTimeoutMs = 120_000,
}: VendorSettings): Promise<Vendor> {
  const paywall = await createPaywall(facilitator.url, payTo, facilitatorTimeoutMs)
  const requests: VendorRequest[] = []
  const app = express()
  app.use(express.json(), ({ method, originalUrl, headers, body }, _response, next) => {
    requests.push({ method, path: originalUrl, headers, body })
    next()
  })
  // The paywall has already contacted the facilitator. By default it would do so in the background,
  // and end the whole process if the two did not match.
  app.use(paymentMiddlewareFromHTTPServer(paywall, undefined, undefined, false))
  addGoods(app)
  const server = await startLoopbackServer(app)
  return { url: server.url, payTo, requests, stop: server.stop }
}

async function createPaywall(
  url: string,
  payTo: Address,
  timeoutMs: number,
): Promise<x402HTTPResourceServer> {
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url, timeoutMs }))
  for (const network of [NETWORK, ELSEWHERE] as const) {
    resources.register(network, new ExactEvmScheme()).register(network, new UptoEvmScheme())
  }
  const offer = (price: string) => ({ scheme: 'exact', network: NETWORK, payTo, price }) as const
  const oneUnit = { asset: USDC, amount: '1', extra: USDC_DOMAIN }
  const upfront = { accepts: { ...offer('$0.01'), extra: { paymentFlow: 'upfront' } } }
  const paywall = new x402HTTPResourceServer(resources, {
    'GET /data': {
      accepts: offer('$0.01'),
      description: 'Some data',
      mimeType: 'application/json',
    },
    'GET /tiny': { accepts: { ...offer('$0.01'), price: oneUnit } },
    'POST /echo': { accepts: offer('$0.02') },
    'GET /dear': { accepts: offer('$25') },
    'GET /patient': { accepts: { ...offer('$0.01'), maxTimeoutSeconds: 3_600 } },
    'GET /several': {
      accepts: [
        { ...offer('$0.001'), network: ELSEWHERE },
        { ...offer('$0.002'), scheme: 'upto' },
        offer('$0.05'),
        offer('$0.03'),
      ],
    },
    'GET /broken': { accepts: offer('$0.01') },
    'GET /upfront': upfront,
    'GET /upfront-broken': upfront,
  })
  await paywall.initialize()
  return paywall
}

function addGoods(app: Express): void {
  for (const path of ['/data', '/tiny', '/dear', '/patient', '/several', '/upfront', '/free']) {
    app.get(path, (_request, response) => response.json({ goods: path }))
  }
  app.post('/echo', (request, response) => response.json(request.body))
  for (const path of ['/broken', '/upfront-broken']) {
    app.get(path, (_request, response) => response.status(500).json({ error: 'out of order' }))
  }
}
