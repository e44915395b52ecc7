import {
  createPublicClient,
  custom,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  type PublicClient,
  pad,
} from 'viem'
import { TOKEN_ABI } from '../../../src/paths/x402/chain/token-abi.ts'
import type { X402Payment } from '../../../src/paths/x402/payment.ts'

/** What a node knows of one authorization. Heights are counted in blocks of one second each. */
export interface Knowledge {
  /** The height of the newest block. */
  readonly latest: bigint
  /** The height whose block has the time of `validBefore`. */
  readonly end: bigint
  /** The heights from which on the token calls the authorization used. */
  readonly usedFrom?: bigint
  readonly trace?:
    | { readonly kind: 'AuthorizationUsed' | 'AuthorizationCanceled'; at: bigint }
    | undefined
  readonly transfer?: Partial<{ from: string; to: string; value: bigint; token: string }>
  readonly isReverted?: boolean
  /** The number of blocks that it searches at a time. */
  readonly rangeMax?: bigint
  /** Thrown by each search. */
  readonly failure?: Error
}

interface ScriptedNode {
  readonly client: PublicClient
  /** The ranges that were searched, also the refused ones. */
  readonly searched: (readonly [from: bigint, to: bigint])[]
}

interface Call {
  readonly method: string
  readonly params?: readonly unknown[]
}

export const TRANSACTION: Hex = pad('0xabc')

/** A node that answers as a real one with this knowledge would, and nothing else. */
export function scriptedNode(payment: X402Payment, known: Knowledge): ScriptedNode {
  const { authorization, asset } = payment
  const { latest, usedFrom, trace } = known
  const searched: (readonly [bigint, bigint])[] = []
  const isUsedAt = (height: bigint) => usedFrom !== undefined && height >= usedFrom

  function block(height: bigint) {
    const time = BigInt(authorization.validBefore) - known.end + height
    return { number: numberToHex(height), hash: hashOf(height), timestamp: numberToHex(time) }
  }

  function search({ fromBlock, toBlock }: { fromBlock: Hex; toBlock: Hex }) {
    const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
    searched.push([from, to])
    if (known.failure) throw known.failure
    if (to - from >= (known.rangeMax ?? latest + 1n)) throw new Error('The range is too long.')
    if (!trace || trace.at < from || trace.at > to) return []
    const args = { authorizer: authorization.from as Hex, nonce: authorization.nonce as Hex }
    const topics = encodeEventTopics({ abi: TOKEN_ABI, eventName: trace.kind, args })
    return [{ topics, blockNumber: numberToHex(trace.at), transactionHash: TRANSACTION }]
  }

  function receipt() {
    const moved = { ...authorization, token: asset, ...known.transfer }
    const args = { from: moved.from as Hex, to: moved.to as Hex }
    const log = {
      address: moved.token,
      topics: encodeEventTopics({ abi: TOKEN_ABI, eventName: 'Transfer', args }),
      data: encodeAbiParameters([{ type: 'uint256' }], [moved.value]),
      transactionHash: TRANSACTION,
      blockNumber: '0x1',
      logIndex: '0x0',
    }
    return { status: known.isReverted ? '0x0' : '0x1', logs: [log], transactionHash: TRANSACTION }
  }

  function isUsed(block: unknown) {
    const hash = typeof block === 'object' && block !== null && 'blockHash' in block
    return isUsedAt(hash ? BigInt(String(block.blockHash)) : latest)
  }

  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_blockNumber: () => numberToHex(latest),
    eth_getBlockByNumber: ([at]) => block(isTag(at) ? latest : BigInt(String(at))),
    eth_call: ([, at]) => pad(isUsed(at) ? '0x1' : '0x0'),
    eth_getLogs: ([query]) => search(query as Parameters<typeof search>[0]),
    eth_getTransactionReceipt: receipt,
  }
  const request = async ({ method, params = [] }: Call) => answers[method]?.(params)
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  // The code under test has its own copy of viem, which would not know the errors of this one.
  return { client: { ...client, request: request as PublicClient['request'] }, searched }
}

/** The hash of a block is its height, so that a question by hash can be answered. */
function hashOf(height: bigint): Hex {
  return pad(numberToHex(height))
}

function isTag(block: unknown): boolean {
  return typeof block === 'string' && !block.startsWith('0x')
}
