import { findAnvil, startAnvil } from './anvil.ts'
import { loadEdr, startEdr } from './edr.ts'
import type { LoopbackServer } from './loopback-server.ts'

/** A program or library that runs a real Ethereum chain and answers JSON-RPC over HTTP. */
export interface ChainEngine {
  readonly name: 'anvil' | 'edr'
  start(chainId: number): Promise<LoopbackServer>
}

/**
 * Anvil if npm has it for the platform, otherwise the virtual machine of Hardhat, otherwise
 * undefined. Both understand the `evm_` and the `hardhat_` methods, so nothing outside this file
 * knows which one it is.
 */
export function findChainEngine(): ChainEngine | undefined {
  const anvil = findAnvil()
  if (anvil !== undefined) return { name: 'anvil', start: (chainId) => startAnvil(anvil, chainId) }
  const edr = loadEdr()
  if (edr !== undefined) return { name: 'edr', start: (chainId) => startEdr(edr, chainId) }
  return undefined
}
