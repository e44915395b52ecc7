import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { payFetched } from './fetch.ts'
import { paySigned, quote } from './pay.ts'

/**
 * The parts of this path that need viem and the packages of x402. Loading them takes every start
 * half a second, and few installations pay by x402, so `path.ts` loads this file when something
 * asks for it.
 */
export { createChains } from './chain/chains.ts'
export { createBalances } from './wallet/balances.ts'

/** The ways to pay, by the mode that a request names. */
export const WAYS = { sign: paySigned, fetch: payFetched, quote }

/** A fresh key of a wallet, and the address that it pays from. */
export function makeKey(): { readonly secret: string; readonly address: string } {
  const secret = generatePrivateKey()
  return { secret, address: privateKeyToAddress(secret) }
}

export type Evm = typeof import('./evm.ts')
