import type { PaymentPath } from '../path.ts'
import { createChains } from './chain/chains.ts'
import { startReconciler } from './chain/reconciler.ts'
import { payRoutes } from './routes.ts'
import { createTurns } from './vendor/turns.ts'
import { walletRoutes } from './wallet/wallet-routes.ts'

/** Of calls to vendors at a time: each may hold the largest answer in memory. */
const CALLS_MAX = { total: 64, each: 32 }

/** Payments in tokens on a chain, asked for with HTTP 402 and authorized by a signature. */
export const x402Path: PaymentPath = {
  name: 'x402',
  open({ networks, ...parts }) {
    const withChains = {
      ...parts,
      chains: createChains(networks),
      turns: createTurns(CALLS_MAX),
    }
    return {
      routes(app) {
        payRoutes(app, withChains)
        walletRoutes(app, withChains)
      },
      start: () => startReconciler(withChains),
    }
  },
}
