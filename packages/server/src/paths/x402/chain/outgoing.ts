import { smaller } from '../../../core/bigint.ts'
import {
  type Hex,
  numberToHex,
  type PublicClient,
  pad,
  type RpcLog,
  toEventSelector,
} from '../x402-libraries.ts'
import { isUnreachable, RANGE_MIN } from './authorization-trace.ts'
import { asHex } from './hex.ts'
import { TOKEN_ABI } from './token-abi.ts'

/** The tokens that left wallets, and the authorizations that were used for it. */
export interface Outgoing {
  readonly transfers: readonly Transfer[]
  readonly used: readonly Used[]
}

export interface Transfer {
  readonly token: string
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly transaction: string
}

/** The use of an authorization. The same transaction has its transfer. */
export interface Used {
  readonly from: string
  readonly nonce: string
  readonly transaction: string
}

export interface OutgoingQuery {
  readonly tokens: readonly string[]
  readonly holders: readonly string[]
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** A range that most nodes accept. A node that does not is asked for halves. */
const RANGE_MAX = 10_000n

const [, , USED, , TRANSFER] = TOKEN_ABI
const USED_TOPIC = toEventSelector(USED)
const TRANSFER_TOPIC = toEventSelector(TRANSFER)

/** Reads both kinds of events with one query per range: in both, the holder is the first topic. */
export async function readOutgoing(node: PublicClient, query: OutgoingQuery): Promise<Outgoing> {
  const logs: RpcLog[] = []
  for (let from = query.fromBlock; from <= query.toBlock; from += RANGE_MAX) {
    const to = smaller(from + RANGE_MAX - 1n, query.toBlock)
    logs.push(...(await readRange(node, query, from, to)))
  }
  const ofTopic = (topic: Hex) => logs.filter(({ topics }) => topics[0] === topic)
  return {
    transfers: ofTopic(TRANSFER_TOPIC).map((log) => ({
      token: log.address.toLowerCase(),
      from: toAddress(log.topics[1]),
      to: toAddress(log.topics[2]),
      value: BigInt(log.data),
      transaction: String(log.transactionHash),
    })),
    used: ofTopic(USED_TOPIC).map((log) => ({
      from: toAddress(log.topics[1]),
      nonce: String(log.topics[2]),
      transaction: String(log.transactionHash),
    })),
  }
}

async function readRange(
  node: PublicClient,
  query: OutgoingQuery,
  from: bigint,
  to: bigint,
): Promise<readonly RpcLog[]> {
  try {
    return await node.request({
      method: 'eth_getLogs',
      params: [
        {
          address: query.tokens.map(asHex),
          topics: [[USED_TOPIC, TRANSFER_TOPIC], query.holders.map((holder) => pad(asHex(holder)))],
          fromBlock: numberToHex(from),
          toBlock: numberToHex(to),
        },
      ],
    })
  } catch (error) {
    if (isUnreachable(error) || to - from < RANGE_MIN) throw error
    const middle = (from + to) / 2n
    const earlier = await readRange(node, query, from, middle)
    return [...earlier, ...(await readRange(node, query, middle + 1n, to))]
  }
}

/** A topic has 32 bytes, of which an address is the last 20. */
function toAddress(topic: string | undefined): string {
  return `0x${topic?.slice(-40)}`.toLowerCase()
}
