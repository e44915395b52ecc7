import { createPublicClient, http, type PublicClient, parseAbi, parseEventLogs } from 'viem'
import type { X402Payment } from '../../core/x402-payment.ts'
import { asHex } from './hex.ts'

/** Up to which block a chain is taken to be past changing: a tag, or so many blocks behind the latest. */
export type Finality = 'latest' | 'safe' | 'finalized' | number

/** A network on which payments are made. */
export interface NetworkSetting {
  /** CAIP-2. */
  readonly network: string
  /** Undefined: nobody can be asked what became of a payment there. */
  readonly rpcUrl: string | undefined
  readonly finality: Finality
}

/** What the chain says of an authorization. */
export type Fate =
  | { readonly kind: 'settled'; readonly transaction: string }
  /** It was not used and cannot be any more. */
  | { readonly kind: 'dead'; readonly transaction: string | null }
  /** It may still be used, or it is too early to be sure. */
  | { readonly kind: 'open' }

export interface Chain {
  balanceOf(token: string, holder: string): Promise<bigint>
  height(): Promise<bigint>
  fateOf(payment: X402Payment): Promise<Fate>
}

/** The networks that are enabled, and the chains that can be asked. */
export interface Chains {
  readonly networks: readonly string[]
  isEnabled(network: string): boolean
  chain(network: string): Chain | undefined
}

const TIMEOUT_MS = 5_000
const OPEN: Fate = { kind: 'open' }

const TOKEN = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const [, , USED, CANCELED] = TOKEN

export function createChains(settings: readonly NetworkSetting[]): Chains {
  const networks = settings.map(({ network }) => network)
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

function createChain(network: string, rpcUrl: string, finality: Finality): Chain {
  const client = createPublicClient({
    transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1 }),
  })
  let isRightChain = false

  /** A node of another chain would swear that nothing was ever spent. */
  async function rightClient(): Promise<PublicClient> {
    if (isRightChain) return client
    const chainId = await client.getChainId()
    if (`eip155:${chainId}` !== network) {
      throw new Error(`The node that is configured for ${network} is of the chain ${chainId}.`)
    }
    isRightChain = true
    return client
  }

  return {
    async balanceOf(token, holder) {
      return (await rightClient()).readContract({
        address: asHex(token),
        abi: TOKEN,
        functionName: 'balanceOf',
        args: [asHex(holder)],
      })
    },
    async height() {
      return (await rightClient()).getBlockNumber({ cacheTime: 0 })
    },
    async fateOf(payment) {
      const node = await rightClient()
      const isUsed = await isUsedAt(node, payment, undefined)
      return isUsed ? fateOfUsed(node, payment, finality) : fateOfUnused(node, payment, finality)
    },
  }
}

/**
 * The token's own word, at a block or at the latest. True also for one that was canceled.
 */
function isUsedAt(
  client: PublicClient,
  { asset, authorization }: X402Payment,
  blockNumber: bigint | undefined,
): Promise<boolean> {
  return client.readContract({
    address: asHex(asset),
    abi: TOKEN,
    functionName: 'authorizationState',
    args: [asHex(authorization.from), asHex(authorization.nonce)],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}

async function fateOfUsed(
  client: PublicClient,
  payment: X402Payment,
  finality: Finality,
): Promise<Fate> {
  const { asset, authorization, fromBlock } = payment
  const about = {
    address: asHex(asset),
    args: { authorizer: asHex(authorization.from), nonce: asHex(authorization.nonce) },
    fromBlock: fromBlock ?? 0n,
  }
  const [used] = await client.getLogs({ ...about, event: USED })
  if (used) {
    const transaction = used.transactionHash
    return (await hasTransfer(client, payment, transaction))
      ? { kind: 'settled', transaction }
      : OPEN
  }
  const [canceled] = await client.getLogs({ ...about, event: CANCELED })
  if (!canceled) return OPEN
  const { number } = await finalBlock(client, finality)
  const isFinal = canceled.blockNumber <= number
  return isFinal ? { kind: 'dead', transaction: canceled.transactionHash } : OPEN
}

/** The very transfer that was signed, in the transaction that used the authorization. */
async function hasTransfer(
  client: PublicClient,
  { asset, authorization }: X402Payment,
  hash: `0x${string}`,
): Promise<boolean> {
  const { status, logs } = await client.getTransactionReceipt({ hash })
  const transfers = parseEventLogs({ abi: TOKEN, logs, eventName: 'Transfer' })
  return (
    status === 'success' &&
    transfers.some(
      ({ address, args }) =>
        address.toLowerCase() === asset &&
        args.from.toLowerCase() === authorization.from &&
        args.to.toLowerCase() === authorization.to &&
        args.value === authorization.value,
    )
  )
}

/**
 * Nothing can follow once a block that will not change has the time at which the authorization ends, and
 * it is unused at that very block. Our own clock says nothing about that: a chain may be late.
 */
async function fateOfUnused(
  client: PublicClient,
  payment: X402Payment,
  finality: Finality,
): Promise<Fate> {
  const { number, timestamp } = await finalBlock(client, finality)
  if (timestamp < BigInt(payment.authorization.validBefore)) return OPEN
  const isUsed = await isUsedAt(client, payment, number)
  return isUsed ? OPEN : { kind: 'dead', transaction: null }
}

async function finalBlock(
  client: PublicClient,
  finality: Finality,
): Promise<{ number: bigint; timestamp: bigint }> {
  if (typeof finality === 'string') return client.getBlock({ blockTag: finality })
  const latest = await client.getBlockNumber({ cacheTime: 0 })
  const confirmed = latest - BigInt(finality)
  return client.getBlock({ blockNumber: confirmed < 0n ? 0n : confirmed })
}
