import { smaller } from '../../../core/bigint.ts'
import type { X402Payment } from '../payment.ts'
import {
  type Hash,
  type Hex,
  HttpRequestError,
  numberToHex,
  type PublicClient,
  pad,
  TimeoutError,
  toEventSelector,
} from '../x402-libraries.ts'
import { asHex } from './hex.ts'
import { TOKEN_ABI } from './token-abi.ts'

/** The event by which the token recorded the use or the cancellation of an authorization. */
export interface Trace {
  readonly kind: 'used' | 'canceled'
  readonly block: bigint
  readonly transaction: Hash
}

/**
 * The number of blocks that the fastest chain can produce in the two minutes of an authorization.
 */
const BLOCKS_AFTER = 5_000n
/**
 * After a reorganization, the transfer can be in an earlier block than the height before signing.
 */
const BLOCKS_BEFORE = 300n
/**
 * The shortest range that is split further: a node that refuses this one has a reason other than
 * its length.
 */
export const RANGE_MIN = 10n

const [, , USED, CANCELED] = TOKEN_ABI
const USED_TOPIC = toEventSelector(USED)
const CANCELED_TOPIC = toEventSelector(CANCELED)

/**
 * Searches the blocks from the signing on first, where the trace nearly always is, then earlier
 * blocks.
 */
export async function findTrace(
  node: PublicClient,
  payment: X402Payment,
): Promise<Trace | undefined> {
  const latest = await node.getBlockNumber({ cacheTime: 0 })
  const start = payment.fromBlock ?? below(latest, BLOCKS_AFTER)
  const after = await search(node, payment, start, smaller(start + BLOCKS_AFTER, latest))
  return after ?? search(node, payment, below(start, BLOCKS_BEFORE), smaller(start - 1n, latest))
}

/** Splits a refused range into halves, because nodes limit the length of a range differently. */
async function search(
  node: PublicClient,
  payment: X402Payment,
  from: bigint,
  to: bigint,
): Promise<Trace | undefined> {
  if (to < from) return undefined
  try {
    return await readTrace(node, payment, from, to)
  } catch (error) {
    if (isUnreachable(error) || to - from < RANGE_MIN) throw error
    const middle = (from + to) / 2n
    const earlier = await search(node, payment, from, middle)
    return earlier ?? search(node, payment, middle + 1n, to)
  }
}

async function readTrace(
  node: PublicClient,
  { asset, authorization }: X402Payment,
  from: bigint,
  to: bigint,
): Promise<Trace | undefined> {
  const topics: (Hex | Hex[])[] = [
    [USED_TOPIC, CANCELED_TOPIC],
    pad(asHex(authorization.from)),
    asHex(authorization.nonce),
  ]
  const [log] = await node.request({
    method: 'eth_getLogs',
    params: [
      { address: asHex(asset), topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) },
    ],
  })
  if (!log?.transactionHash || !log.blockNumber) return undefined
  return {
    kind: log.topics[0] === USED_TOPIC ? 'used' : 'canceled',
    block: BigInt(log.blockNumber),
    transaction: log.transactionHash,
  }
}

/** A node that does not answer at all would not answer for half of the range either. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TimeoutError) return true
  if (!(error instanceof HttpRequestError)) return false
  const { status } = error
  return status === undefined || status === 429 || status >= 500
}

function below(height: bigint, blocks: bigint): bigint {
  return height > blocks ? height - blocks : 0n
}
