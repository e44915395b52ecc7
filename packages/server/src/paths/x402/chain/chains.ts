import { BaseError, createPublicClient, http, type PublicClient } from 'viem'
import type { Instant } from '../../../core/time/instant.ts'
import { assetsOn, knownNetworks } from '../offers/assets.ts'
import type { X402Payment } from '../payment.ts'
import { type Fate, type Finality, fateOf } from './fate.ts'
import { asHex } from './hex.ts'
import { TOKEN_ABI } from './token-abi.ts'

/** A network on which payments are made. */
export interface NetworkSetting {
  /** CAIP-2. */
  readonly network: string
  /** Undefined: nobody can be asked what became of a payment there. */
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
  /** Many at once, in one call to the node; undefined where the token gives no answer. */
  balancesOf(places: readonly BalancePlace[]): Promise<(bigint | undefined)[]>
  head(): Promise<Head>
  /** The time of the block to come; undefined where the node does not tell. */
  pendingTime(): Promise<Instant | undefined>
  fateOf(payment: X402Payment): Promise<Fate>
}

/** The enabled networks, and the chains that can be asked. */
export interface Chains {
  readonly networks: readonly string[]
  isEnabled(network: string): boolean
  chain(network: string): Chain | undefined
}

const TIMEOUT_MS = 5_000
/** Questions of 36 bytes each, as many as every node takes in one call. */
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
 * Such a network could never be used for a payment. It is better to say so at the start than at the
 * first payment.
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
    // A contract must not send us to an address of its choice.
    ccipRead: false,
  })
  let isRightChain = false

  /** A node of another chain would claim that nothing was ever spent. */
  async function rightClient(): Promise<PublicClient> {
    if (isRightChain) return client
    const chainId = await client.getChainId()
    if (`eip155:${chainId}` !== network) {
      throw new Error(`The node that is configured for ${network} is of the chain ${chainId}.`)
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
          // The code that asks for all of them comes with the call: it is not on every chain.
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
    pendingTime: () =>
      ask(async (node) => {
        // Not every node knows such a block. Then the newest one is all that is known.
        const block = await node.getBlock({ blockTag: 'pending' }).catch(() => undefined)
        return block && toInstant(block.timestamp)
      }),
    fateOf: (payment) => ask((node) => fateOf(node, payment, finality)),
  }
}

function toInstant(seconds: bigint): Instant {
  return Number(seconds) * 1_000
}

/** The library's errors name the node's URL, which may hold a key, and errors end up in logs. */
function withoutUrl(network: string, error: unknown): unknown {
  if (!(error instanceof BaseError)) return error
  return new Error(`The node of ${network} gave no answer (${error.name}): ${error.shortMessage}`)
}
