import { x402Client, x402HTTPClient } from '@x402/core/client'
import type { PaymentRequired } from '@x402/core/types'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { NETWORK } from './chain.ts'

export interface Buyer {
  /** The SDK's own fetch, which pays when it gets a 402. */
  readonly fetch: ReturnType<typeof wrapFetchWithPayment>
  /** Signs for an offer of either version without sending it, and returns the payment header. */
  sign(offer: object): Promise<string>
}

/** An agent with the stock client and its own key: a payment without Purser. */
export function createBuyer(account: LocalAccount): Buyer {
  const client = registerExactEvmScheme(new x402Client(), { signer: account, networks: [NETWORK] })
  const httpClient = new x402HTTPClient(client)
  return {
    fetch: wrapFetchWithPayment(fetch, httpClient),
    sign: async (offer) => {
      const payload = await client.createPaymentPayload(offer as PaymentRequired)
      const [header] = Object.values(httpClient.encodePaymentSignatureHeader(payload))
      if (header === undefined) throw new Error('The client made no payment header.')
      return header
    },
  }
}
