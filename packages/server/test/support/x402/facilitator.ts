import type { IncomingMessage, ServerResponse } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import type { SettleResponse } from '@x402/core/types'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import type { Address } from 'viem'
import { type Chain, createAccount, NETWORK } from './chain.ts'
import { createFacilitatorSigner } from './facilitator-signer.ts'
import { readBody, startLoopbackServer } from './loopback-server.ts'
import { type Order, toOrder } from './order.ts'

export interface Settlement extends Order {
  readonly result: SettleResponse
}

/** The result of a settle request. Unless a fault mentions money, none moves. */
export type SettleFault =
  | 'none'
  /** Answers that it failed. */
  | 'refuse'
  /** Answers that it succeeded, with a transaction that does not exist. */
  | 'pretend'
  | 'drop_socket'
  | 'hang'
  /** Hangs until `release`. Then the money moves, and a vendor that still listens gets the answer. */
  | 'hang_then_settle'
  /** The money moves, but the vendor never gets an answer. */
  | 'settle_then_hang'
  | 'settle_then_drop'
  /** The money moves, but the answer says that it did not. */
  | 'settle_then_refuse'

export type VerifyFault = 'none' | 'refuse' | 'drop_socket' | 'hang'

export interface Facilitator {
  readonly url: string
  /** The account that pays for the gas. */
  readonly address: Address
  /** May be changed at any time; a request uses the value at its arrival. */
  readonly faults: { verify: VerifyFault; settle: SettleFault }
  /** Verify and settle requests as they arrived, whatever their result. */
  readonly verified: readonly Order[]
  readonly settleRequests: readonly Order[]
  /** The settlements that were actually tried on the chain, with or without success. */
  readonly settled: readonly Settlement[]
  /** Settles a payment header, as a vendor that kept it could at any later time. */
  settleNow(paymentHeader: string): Promise<SettleResponse>
  /** Ends every `hang_then_settle`, and resolves when their money has moved. */
  release(): Promise<void>
  stop(): Promise<void>
}

export interface FacilitatorSettings {
  /** How long it waits for a block before it answers that the settlement is pending. */
  readonly confirmationTimeoutMs?: number
}

/** Base is listed only so that an honest vendor can offer it; no payment is possible there. */
const NETWORKS = [NETWORK, 'eip155:8453'] as const
const NO_SUCH_TRANSACTION = `0x${'ab'.repeat(32)}`

/** The SDK's own facilitator, for both versions of x402, with faults that tests may switch on. */
export async function startFacilitator(
  chain: Chain,
  { confirmationTimeoutMs = 120_000 }: FacilitatorSettings = {},
): Promise<Facilitator> {
  const account = createAccount()
  await chain.fund(account.address)
  const signer = createFacilitatorSigner(chain.url, account, confirmationTimeoutMs)
  const facilitator = new x402Facilitator()
  registerExactEvmScheme(facilitator, { signer, networks: [...NETWORKS] })
  facilitator.register([...NETWORKS], new UptoEvmScheme(signer))

  const faults: Facilitator['faults'] = { verify: 'none', settle: 'none' }
  const verified: Order[] = []
  const settleRequests: Order[] = []
  const settled: Settlement[] = []
  const held: (() => Promise<void>)[] = []

  async function settle(order: Order): Promise<SettleResponse> {
    const result = await facilitator.settle(order.paymentPayload, order.paymentRequirements)
    settled.push({ ...order, result })
    return result
  }

  async function answerVerify(order: Order, response: ServerResponse): Promise<void> {
    verified.push(order)
    switch (faults.verify) {
      case 'none':
        return send(
          response,
          await facilitator.verify(order.paymentPayload, order.paymentRequirements),
        )
      case 'refuse':
        return send(response, { isValid: false, invalidReason: 'refused_by_facilitator' })
      case 'drop_socket':
        return drop(response)
      case 'hang':
        return
    }
  }

  async function answerSettle(order: Order, response: ServerResponse): Promise<void> {
    settleRequests.push(order)
    const { network } = order.paymentRequirements
    const failure = { success: false, errorReason: 'refused', transaction: '', network }
    switch (faults.settle) {
      case 'none':
        return send(response, await settle(order))
      case 'refuse':
        return send(response, failure)
      case 'pretend':
        return send(response, { success: true, transaction: NO_SUCH_TRANSACTION, network })
      case 'drop_socket':
        return drop(response)
      case 'hang':
        return
      case 'hang_then_settle':
        held.push(async () => send(response, await settle(order)))
        return
      case 'settle_then_hang':
        await settle(order)
        return
      case 'settle_then_drop':
        await settle(order)
        return drop(response)
      case 'settle_then_refuse':
        await settle(order)
        return send(response, failure)
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/supported') return send(response, facilitator.getSupported())
    const order: Order = JSON.parse(await readBody(request))
    return request.url === '/verify' ? answerVerify(order, response) : answerSettle(order, response)
  }

  const server = await startLoopbackServer((request, response) => {
    answer(request, response).catch((error: Error) => send(response, { error: error.message }, 500))
  })
  return {
    url: server.url,
    address: account.address,
    faults,
    verified,
    settleRequests,
    settled,
    settleNow: (paymentHeader) => settle(toOrder(paymentHeader)),
    release: async () => {
      await Promise.all(held.splice(0).map((settleHeld) => settleHeld()))
    },
    stop: server.stop,
  }
}

function send(response: ServerResponse, document: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}

function drop(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}
