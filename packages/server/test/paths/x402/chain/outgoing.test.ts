import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  type PublicClient,
  pad,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { readOutgoing } from '../../../../src/paths/x402/chain/outgoing.ts'
import { TOKEN_ABI } from '../../../../src/paths/x402/chain/token-abi.ts'
import { TimeoutError } from '../../../../src/paths/x402/x402-libraries.ts'
import { PAYEE, PAYER, USDC } from '../some-offer.ts'

interface Log {
  readonly block: bigint
  readonly topics: unknown
  readonly data?: Hex
}

interface Question {
  readonly params: readonly [{ readonly fromBlock: Hex; readonly toBlock: Hex }]
}

/** A node that knows these logs, and refuses a range of more than `rangeMax` blocks. */
function aNode(logs: readonly Log[], { rangeMax = 10_000n, failure }: Limits = {}) {
  const searched: (readonly [bigint, bigint])[] = []
  async function request({ params: [{ fromBlock, toBlock }] }: Question) {
    const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
    searched.push([from, to])
    if (failure) throw failure
    if (to - from + 1n > rangeMax) throw new Error('The range is too long.')
    return logs
      .filter(({ block }) => from <= block && block <= to)
      .map((log) => ({ ...log, address: USDC, transactionHash: pad(numberToHex(log.block)) }))
  }
  const node = { request } as unknown as PublicClient
  const read = (fromBlock: bigint, toBlock: bigint) =>
    readOutgoing(node, { tokens: [USDC], holders: [PAYER], fromBlock, toBlock })
  return { read, searched }
}

interface Limits {
  readonly rangeMax?: bigint
  readonly failure?: Error
}

const NONCE = pad('0x7')
const transferAt = (block: bigint): Log => {
  const args = { from: PAYER as Hex, to: PAYEE.toLowerCase() as Hex }
  return {
    block,
    topics: encodeEventTopics({ abi: TOKEN_ABI, eventName: 'Transfer', args }),
    data: encodeAbiParameters([{ type: 'uint256' }], [block]),
  }
}
const usedAt = (block: bigint): Log => {
  const args = { authorizer: PAYER as Hex, nonce: NONCE }
  return {
    block,
    topics: encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed', args }),
  }
}

describe('the transfers of wallets', () => {
  test('are read together with the authorizations that were used for them', async () => {
    const { read } = aNode([transferAt(7n), usedAt(7n)])
    const transaction = pad(numberToHex(7n))
    const from = PAYER.toLowerCase()
    expect(await read(1n, 9n)).toEqual({
      transfers: [
        { token: USDC.toLowerCase(), from, to: PAYEE.toLowerCase(), value: 7n, transaction },
      ],
      used: [{ from, nonce: NONCE, transaction }],
    })
  })

  test('are read in ranges of 10,000 blocks, each block once', async () => {
    const blocks = [0n, 9_999n, 10_000n, 20_000n]
    const { read, searched } = aNode(blocks.map(transferAt))
    const { transfers } = await read(0n, 20_000n)
    expect(transfers.map(({ value }) => value)).toEqual(blocks)
    expect(searched).toEqual([
      [0n, 9_999n],
      [10_000n, 19_999n],
      [20_000n, 20_000n],
    ])
  })

  test('are read in shorter ranges from a node that refuses long ones', async () => {
    const blocks = [100n, 549n, 550n, 1_000n]
    const { read, searched } = aNode(blocks.map(transferAt), { rangeMax: 451n })
    const { transfers } = await read(100n, 1_000n)
    expect(transfers.map(({ value }) => value)).toEqual(blocks)
    expect(searched).toEqual([
      [100n, 1_000n],
      [100n, 550n],
      [551n, 1_000n],
    ])
  })

  test('are not read from a node that refuses even ten blocks', async () => {
    const { read, searched } = aNode([], { rangeMax: 5n })
    await expect(read(1n, 20n)).rejects.toThrow('The range is too long.')
    expect(searched).toEqual([
      [1n, 20n],
      [1n, 10n],
    ])
    await expect(read(1n, 11n)).rejects.toThrow('The range is too long.')
    expect(searched.slice(2)).toEqual([
      [1n, 11n],
      [1n, 6n],
    ])
  })

  test('are asked for once from a node that does not answer', async () => {
    const failure = new TimeoutError({ body: {}, url: 'https://node.example' })
    const { read, searched } = aNode([], { failure })
    await expect(read(1n, 1_000n)).rejects.toBe(failure)
    expect(searched).toHaveLength(1)
  })
})
