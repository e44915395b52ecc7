import { payFetched } from './fetch.ts'
import { paySigned, quote } from './pay.ts'
import { generatePrivateKey, privateKeyToAddress } from './x402-libraries.ts'

/**
 * Exports the parts of this path that need viem and the x402 packages. Loading them takes half a
 * second, and few installations pay by x402. So `path.ts` loads this file on first use, and not at
 * every start.
 */
export { createChains } from './chain/chains.ts'
export { findUnknownTransfers } from './chain/unknown-transfers.ts'
export { createBalances } from './wallet/balances.ts'

/** Maps the `mode` of a request to the function that pays. */
export const WAYS = { sign: paySigned, fetch: payFetched, quote }

/** Makes a new private key for a wallet, and the address that it pays from. */
export function makeKey(): { readonly secret: string; readonly address: string } {
  const secret = generatePrivateKey()
  return { secret, address: privateKeyToAddress(secret) }
}

export type Evm = typeof import('./evm.ts')
