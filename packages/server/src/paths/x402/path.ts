import { logEvent } from '../../base/log/log-event.ts'
import { createCallSlots } from '../call-slots.ts'
import type { PathParts, PaymentPath } from '../path.ts'
import { createByHand } from './chain/by-hand.ts'
import { createChainClocks } from './chain/chain-clocks.ts'
import type { Chains } from './chain/chains.ts'
import { startReconciler } from './chain/reconciler.ts'
import { X402_LOG_EVENTS } from './log-events.ts'
import { X402_PROBLEMS } from './problems.ts'
import { payRoutes } from './routes.ts'
import { type X402Settings, x402Settings } from './settings.ts'
import { removeOldDeliveries } from './storage/deliveries.ts'
import { readPaymentBacklog } from './storage/due-payments.ts'
import { X402_SEALED } from './storage/sealed-values.ts'
import { walletRoutes } from './wallet/wallet-routes.ts'

/** Limits concurrent calls to vendors, because each may hold the largest answer in memory. */
const CALLS_MAX = 64

/** Used if no network is configured: then there is nothing to pay with, and no chain to query. */
const NO_CHAINS: Chains = { networks: [], isEnabled: () => false, chain: () => undefined }

const loadEvm = () => import('./evm.ts')

/**
 * Payments in tokens on a chain: the vendor requests them with HTTP 402, a signature authorizes
 * them.
 */
export const x402Path: PaymentPath<X402Settings> = {
  name: 'x402',
  settings: x402Settings,
  problems: X402_PROBLEMS,
  logEvents: X402_LOG_EVENTS,
  sealed: X402_SEALED,
  async examine(db, settings) {
    if (settings.networks.length === 0) return undefined
    return (await loadEvm()).findUnknownTransfers(db, settings)
  },
  async open(parts, { networks }) {
    // If networks are configured, load the libraries at startup: a network without a known token
    // must be reported then, and the first payment should not wait for the loading.
    const chains = networks.length === 0 ? NO_CHAINS : (await loadEvm()).createChains(networks)
    const clocks = createChainClocks(parts.log)
    const withChains = { ...parts, chains, clocks, slots: createCallSlots(CALLS_MAX), loadEvm }
    return {
      routes(api) {
        payRoutes(api, withChains)
        walletRoutes(api, withChains)
      },
      workers: [
        () => {
          void tellOfNodes(withChains)
          return startReconciler(withChains)
        },
      ],
      removers: [removeOldDeliveries],
      byHand: createByHand(withChains),
      backlog: readPaymentBacklog,
    }
  },
}

/** Warns the operator about a wrong or unreachable node before the first payment. */
async function tellOfNodes({
  chains,
  log,
}: Pick<PathParts, 'log'> & { chains: Chains }): Promise<void> {
  for (const network of chains.networks) {
    const chain = chains.chain(network)
    if (!chain) {
      logEvent(log, X402_LOG_EVENTS['x402.node_missing'], { network })
      continue
    }
    try {
      await chain.head()
    } catch (err) {
      logEvent(log, X402_LOG_EVENTS['x402.node_unreachable'], { err, network })
    }
  }
}
