import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SettleResponse, VerifyResponse } from '@x402/core/types'
import type { Address } from 'viem'
import { createAccount } from './chain.ts'
import { startLoopbackServer } from './loopback-server.ts'
import { paymentRequired } from './payment-required.ts'
import type { VendorRequest, VendorSettings } from './vendor.ts'
import { fromHeader, toHeader } from './wire.ts'

export interface V1Vendor {
  readonly url: string
  readonly payTo: Address
  readonly requests: readonly Omit<VendorRequest, 'body'>[]
  stop(): Promise<void>
}

const PRICE = '10000'

/**
 * A vendor with version 1 of x402, as many still have: the offer is in the body, the payment in
 * X-PAYMENT, and the receipt in X-PAYMENT-RESPONSE. Every path costs $0.01. It is implemented here,
 * because the packages of version 1 bring half a wallet with them.
 */
export async function startV1Vendor({
  facilitator,
  payTo = createAccount().address,
  facilitatorTimeoutMs = 120_000,
}: VendorSettings): Promise<V1Vendor> {
  const requests: Omit<VendorRequest, 'body'>[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers })
    const resource = `http://${headers.host}${path}`
    const { v1 } = paymentRequired({ amount: PRICE, payTo, resource })
    const refuse = (error: string): void => send(response, 402, { ...v1, error })

    const payment = headers['x-payment']
    if (typeof payment !== 'string') return refuse('X-PAYMENT header is required')
    const order = {
      x402Version: 1,
      paymentPayload: fromHeader<unknown>(payment),
      paymentRequirements: v1.accepts[0],
    }
    const verdict: VerifyResponse = await ask('/verify', order)
    if (!verdict.isValid) return refuse(verdict.invalidReason ?? 'invalid_payment')
    const receipt: SettleResponse = await ask('/settle', order)
    response.setHeader('x-payment-response', toHeader(receipt))
    if (!receipt.success) return refuse(receipt.errorReason ?? 'settlement_failed')
    send(response, 200, { goods: path })
  }

  async function ask<Answer>(path: string, order: object): Promise<Answer> {
    const response = await fetch(`${facilitator.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(facilitatorTimeoutMs),
    })
    return JSON.parse(await response.text())
  }

  const server = await startLoopbackServer((request, response) => {
    answer(request, response).catch((error: Error) => send(response, 500, { error: error.message }))
  })
  return { url: server.url, payTo, requests, stop: server.stop }
}

function send(response: ServerResponse, status: number, document: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}
