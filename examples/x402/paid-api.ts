import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express from 'express'

const NETWORK = 'eip155:84532'

/**
 * A tiny API that charges for requests, as any vendor would write it: nothing here knows of Purser.
 *
 *     GET /weather     $0.005
 *     GET /forecast    $0.30
 */
export async function startPaidApi(facilitatorUrl: string, payTo: string) {
  const accepts = (price: string) => ({ scheme: 'exact', network: NETWORK, payTo, price }) as const
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
  const paywall = new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme())
  const app = express()
  app.use(
    paymentMiddleware(
      {
        'GET /weather': { accepts: accepts('$0.005'), description: 'The weather now' },
        'GET /forecast': { accepts: accepts('$0.30'), description: 'The weather of next week' },
      },
      paywall,
    ),
  )
  app.get('/weather', (_request, response) => response.json({ sky: 'clear', celsius: 21 }))
  app.get('/forecast', (_request, response) => response.json({ monday: 'rain', tuesday: 'sun' }))

  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, stop: () => void server.close() }
}
