import {
  EXAMPLE_DECISION,
  EXAMPLE_TIME,
  exampleDetails,
  exampleId,
} from '../../http/document/examples.ts'

const ASSET = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const NETWORK = 'eip155:84532'

/**
 * Shows a `fetch`: the gateway called the vendor and paid the price, and the chain shows the
 * transfer.
 */
export const PAYMENT_EXAMPLE = {
  status: 'paid',
  ...EXAMPLE_DECISION,
  remainingBudget: 99.99,
  evaluationDetails: exampleDetails('x402', 0.01),
  amount: 0.01,
  vendor: 'api.example.com',
  category: 'data',
  price: {
    atomic: '10000',
    asset: ASSET,
    symbol: 'USDC',
    decimals: 6,
    network: NETWORK,
    currency: 'USD',
  },
  payee: {
    address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    assurance: 'gateway_observed',
  },
  payment: null,
  resource: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { tides: [] },
    bodyEncoding: 'json',
    truncated: false,
  },
  resourceError: null,
  settlement: {
    state: 'settled',
    transaction: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    source: 'chain',
    verified: true,
    settledAmount: 0.01,
  },
  hold: {
    id: exampleId('txn'),
    state: 'settled',
    releaseNotBefore: '2026-11-15T09:32:00.000Z',
    budgetRemaining: 99.99,
  },
  anomalies: [],
}

const WALLET = {
  id: exampleId('wal'),
  name: 'Payments',
  type: 'local',
  address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  signerUrl: null,
  networks: [NETWORK],
  createdAt: EXAMPLE_TIME,
  createdBy: exampleId('key'),
}

export const NEW_WALLET_EXAMPLE = { ...WALLET, signerSecret: null }

export const LISTED_WALLET_EXAMPLE = {
  ...WALLET,
  balances: [{ network: NETWORK, asset: ASSET, symbol: 'USDC', balance: 37.25 }],
}
