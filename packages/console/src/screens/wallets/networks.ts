/** The names of chains by their CAIP-2 ids, for those that x402 payments use. */
const NETWORKS: Readonly<Record<string, string>> = {
  'eip155:1': 'Ethereum',
  'eip155:10': 'OP Mainnet',
  'eip155:137': 'Polygon',
  'eip155:8453': 'Base',
  'eip155:42161': 'Arbitrum One',
  'eip155:43114': 'Avalanche',
  'eip155:84532': 'Base Sepolia (test)',
  'eip155:11155111': 'Sepolia (test)',
  'eip155:43113': 'Avalanche Fuji (test)',
}

/** "Base" for `eip155:8453`; the id itself for a chain without a name here. */
export function networkName(id: string): string {
  return NETWORKS[id] ?? id
}
