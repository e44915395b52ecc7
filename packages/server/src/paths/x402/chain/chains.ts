import type { Instant } from '../../../core/time/instant.ts'
import { assetsOn, knownNetworks } from '../offers/assets.ts'
import type { X402Payment } from '../payment.ts'
import { BaseError, createPublicClient, http, type PublicClient } from '../x402-libraries.ts'
import { type Fate, type Finality, fateOf } from './fate.ts'
import { asHex } from './hex.ts'
import { type Outgoing, readOutgoing } from './outgoing.ts'
import { TOKEN_ABI } from './token-abi.ts'

/** A configured network for payments. */
export interface NetworkSetting {
  /** The CAIP-2 id of the network. */
  readonly network: string
  /** Undefined if the network has no node, so that the gateway cannot look up payments. */
  readonly rpcUrl: string | undefined
  readonly finality: Finality
}

export interface BalancePlace {
  readonly token: string
  readonly holder: string
}

/** The newest block. */
export interface Head {
  readonly height: bigint
  readonly time: Instant
}

export interface Chain {
  balanceOf(token: string, holder: string): Promise<bigint>
  /**
   * Reads many balances in one call to the node. An entry is undefined if the token does not
   * answer.
   */
  balancesOf(places: readonly BalancePlace[]): Promise<(bigint | undefined)[]>
  head(): Promise<Head>
  timeOf(height: bigint): Promise<Instant>
  /** The time of the pending block. Undefined if the node does not provide one. */
  pendingTime(): Promise<Instant | undefined>
  fateOf(payment: X402Payment): Promise<Fate>
  /** Reads which of the network's tokens left the holders, between two blocks. */
  outgoing(holders: readonly string[], fromBlock: bigint, toBlock: bigint): Promise<Outgoing>
}

/** The enabled networks, and a chain for each network that has a node. */
export interface Chains {
  readonly networks: readonly string[]
  isEnabled(network: string): boolean
  chain(network: string): Chain | undefined
}

const TIMEOUT_MS = 5_000
/** The size of a batch of queries of 36 bytes each. Every node accepts this much in one call. */
const QUESTIONS_BYTES_MAX = 16_384

export function createChains(settings: readonly NetworkSetting[]): Chains {
  const networks = settings.map(({ network }) => network)
  for (const network of networks) requireTokens(network)
  const chains = new Map(
    settings.flatMap(({ network, rpcUrl, finality }) =>
      rpcUrl === undefined ? [] : [[network, createChain(network, rpcUrl, finality)] as const],
    ),
  )
  return {
    networks,
    isEnabled: (network) => networks.includes(network),
    chain: (network) => chains.get(network),
  }
}

/**
 * Fails at startup if a network has no known token: no payment could ever use it, and the first
 * payment would be too late to find out.
 */
function requireTokens(network: string): void {
  if (assetsOn(network).length > 0) return
  throw new Error(
    `PURSER_X402_NETWORKS names ${network}, which is not supported. Supported networks: ${knownNetworks().join(', ')}.`,
  )
}

function createChain(network: string, rpcUrl: string, finality: Finality): Chain {
  const client = createPublicClient({
    transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 0 }),
    // A contract must not redirect us to an address of its choice.
    ccipRead: false,
  })
  let isRightChain = false

  /**
   * Checks the chain id once: a node of a different chain would report that no payment was ever
   * made.
   */
  async function rightClient(): Promise<PublicClient> {
    if (isRightChain) return client
    const chainId = await client.getChainId()
    if (`eip155:${chainId}` !== network) {
      throw new Error(`The node that is set for ${network} belongs to the chain ${chainId}.`)
    }
    isRightChain = true
    return client
  }

  async function ask<T>(question: (node: PublicClient) => Promise<T>): Promise<T> {
    try {
      return await question(await rightClient())
    } catch (error) {
      throw withoutUrl(network, error)
    }
  }

  return {
    balanceOf: (token, holder) =>
      ask((node) =>
        node.readContract({
          address: asHex(token),
          abi: TOKEN_ABI,
          functionName: 'balanceOf',
          args: [asHex(holder)],
        }),
      ),
    balancesOf: (places) =>
      ask(async (node) => {
        const answers = await node.multicall({
          contracts: places.map(({ token, holder }) => ({
            address: asHex(token),
            abi: TOKEN_ABI,
            functionName: 'balanceOf' as const,
            args: [asHex(holder)] as const,
          })),
          batchSize: QUESTIONS_BYTES_MAX,
          // Send the multicall code with the call, because not every chain has the multicall
          // contract.
          deployless: true,
        })
        if (answers.every(({ status }) => status === 'failure')) throw answers[0]?.error
        return answers.map(({ result }) => result)
      }),
    head: () =>
      ask(async (node) => {
        const { number, timestamp } = await node.getBlock({ blockTag: 'latest' })
        return { height: number, time: toInstant(timestamp) }
      }),
    timeOf: (blockNumber) =>
      ask(async (node) => toInstant((await node.getBlock({ blockNumber })).timestamp)),
    pendingTime: () =>
      ask(async (node) => {
        // Not every node has a pending block. The caller then uses the newest one.
        const block = await node.getBlock({ blockTag: 'pending' }).catch(() => undefined)
        return block && toInstant(block.timestamp)
      }),
    fateOf: (payment) => ask((node) => fateOf(node, payment, finality)),
    outgoing: (holders, fromBlock, toBlock) => {
      const tokens = assetsOn(network).map(({ address }) => address)
      return ask((node) => readOutgoing(node, { tokens, holders, fromBlock, toBlock }))
    },
  }
}

function toInstant(seconds: bigint): Instant {
  return Number(seconds) * 1_000
}

/**
 * Removes the node's URL from errors: viem includes it, it may contain a key, and errors are
 * logged.
 */
function withoutUrl(network: string, error: unknown): unknown {
  if (!(error instanceof BaseError)) return error
  return new Error(`The node of ${network} did not answer (${error.name}): ${error.shortMessage}`)
}
