import { findAnvil, startAnvil } from './anvil.ts'
import { loadEdr, startEdr } from './edr.ts'
import type { LoopbackServer } from './loopback-server.ts'

/** A program or library that runs a real Ethereum chain and answers JSON-RPC over HTTP. */
export interface ChainEngine {
  readonly name: 'anvil' | 'edr'
  start(chainId: number): Promise<LoopbackServer>
}

/**
 * Anvil where npm has it for the platform, else the virtual machine of Hardhat, else undefined.
 * Both understand the `evm_` and the `hardhat_` methods, so nothing beyond this file knows which it is.
 */
export function findChainEngine(): ChainEngine | undefined {
  const anvil = findAnvil()
  if (anvil !== undefined) return { name: 'anvil', start: (chainId) => startAnvil(anvil, chainId) }
  const edr = loadEdr()
  if (edr !== undefined) return { name: 'edr', start: (chainId) => startEdr(edr, chainId) }
  return undefined
}
