import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'
import type { StandIn } from './server.ts'

/** Base Sepolia, a test network, and its USDC. The stand-in is no part of it. */
export const NETWORK = 'eip155:84532'
export const USDC = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

/** A chain with one token, as a node of it answers. */
export interface ChainStandIn {
  readonly answer: StandIn
  /** Gives a wallet tokens, in millionths. */
  fund(holder: string, atomic: bigint): void
  /** Carries out the transfer that a payment header authorizes, as a vendor would ask for. */
  redeem(headerValue: string): void
}

type Hex = `0x${string}`

interface Transfer {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly nonce: Hex
  readonly block: number
  readonly transaction: Hex
}

const BLOCK_MS = 2_000
const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** The selectors of the calls that the gateway makes. `aggregate3` reads several balances at once. */
const SELECTORS = { balanceOf: '70a08231', authorizationState: 'e94a0102', aggregate: '82ad56cb' }
/** The characters of a word of 32 bytes. */
const WORD = 64

/** Blocks follow from the clock alone, so the chain goes on after a restart of the demo. */
export function createChain(now: () => Instant): ChainStandIn {
  const balances = new Map<string, bigint>()
  const transfers = new Map<string, Transfer>()
  const height = (): number => Math.floor(now() / BLOCK_MS)
  const balanceOf = (holder: string): bigint => balances.get(holder.toLowerCase()) ?? 0n
  const byTransaction = (hash: unknown): Transfer | undefined =>
    [...transfers.values()].find(({ transaction }) => transaction === hash)

  /** Answers a call with one word. `data` has no 0x. */
  function call(data: string): string {
    const [first = '', second = ''] = wordsOf(data.slice(8))
    if (data.startsWith(SELECTORS.balanceOf)) return toWord(balanceOf(`0x${first.slice(24)}`))
    if (data.startsWith(SELECTORS.authorizationState)) {
      return toWord(transfers.has(`0x${second}`) ? 1n : 0n)
    }
    throw new Error(`The stand-in has no contract function ${data.slice(0, 8)}.`)
  }

  function callAll(data: string): Hex {
    const at = data.lastIndexOf(SELECTORS.aggregate)
    if (!isDeployment(data) || at < 0) return `0x${call(data)}`
    return `0x${toResults(callsOf(data.slice(at + 8)).map(call))}`
  }

  function carryOut(method: unknown, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_chainId':
        return toHex(Number(NETWORK.slice('eip155:'.length)))
      case 'eth_blockNumber':
        return toHex(height())
      case 'eth_getBlockByNumber':
        return toBlock(/^0x/.test(String(params[0])) ? Number(params[0]) : height())
      case 'eth_call':
        return callAll((params[0] as { readonly data: Hex }).data.slice(2))
      case 'eth_getLogs': {
        const { topics } = params[0] as { readonly topics: readonly unknown[] }
        const found = transfers.get(String(topics[2]).toLowerCase())
        return found ? [usedLog(found)] : []
      }
      case 'eth_getTransactionReceipt': {
        const found = byTransaction(params[0])
        return found ? toReceipt(found) : null
      }
      default:
        throw new Error(`The stand-in has no ${String(method)}.`)
    }
  }

  return {
    answer: ({ body }) => {
      const { id, method, params } = body
      const result = carryOut(method, Array.isArray(params) ? params : [])
      return { status: 200, body: { jsonrpc: '2.0', id, result } }
    },
    fund(holder, atomic) {
      balances.set(holder.toLowerCase(), balanceOf(holder) + atomic)
    },
    redeem(headerValue) {
      const { payload } = JSON.parse(Buffer.from(headerValue, 'base64').toString())
      const { from, to, value, nonce } = payload.authorization
      const key = nonce.toLowerCase()
      if (transfers.has(key)) return
      const transaction: Hex = `0x${randomBytes(32).toString('hex')}`
      const transfer = { from, to, value: BigInt(value), nonce, block: height(), transaction }
      transfers.set(key, transfer)
      balances.set(from.toLowerCase(), balanceOf(from) - transfer.value)
      balances.set(to.toLowerCase(), balanceOf(to) + transfer.value)
    },
  }
}

function hashOf(block: number): Hex {
  return `0x${createHash('sha256').update(`block ${block}`).digest('hex')}`
}

function toBlock(number: number): object {
  const timestamp = toHex((number * BLOCK_MS) / 1_000)
  const parentHash = hashOf(number - 1)
  return {
    number: toHex(number),
    hash: hashOf(number),
    parentHash,
    timestamp,
    transactions: [],
  }
}

function placeOf({ block, transaction }: Transfer, index: number): object {
  return {
    address: USDC,
    blockNumber: toHex(block),
    blockHash: hashOf(block),
    transactionHash: transaction,
    transactionIndex: '0x0',
    logIndex: toHex(index),
    removed: false,
  }
}

function usedLog(transfer: Transfer): object {
  const topics = [USED, padded(transfer.from), transfer.nonce]
  return { ...placeOf(transfer, 0), topics, data: '0x' }
}

function toReceipt(transfer: Transfer): object {
  const { from, to, value, block, transaction } = transfer
  const topics = [TRANSFER, padded(from), padded(to)]
  const moved = { ...placeOf(transfer, 1), topics, data: `0x${toWord(value)}` }
  return {
    transactionHash: transaction,
    transactionIndex: '0x0',
    blockNumber: toHex(block),
    blockHash: hashOf(block),
    from,
    to: USDC,
    status: '0x1',
    type: '0x2',
    gasUsed: '0x0',
    cumulativeGasUsed: '0x0',
    effectiveGasPrice: '0x0',
    logsBloom: '0x',
    contractAddress: null,
    logs: [usedLog(transfer), moved],
  }
}

function toHex(number: number): Hex {
  return `0x${number.toString(16)}`
}

function toWord(number: bigint): string {
  return number.toString(16).padStart(WORD, '0')
}

function padded(address: Hex): Hex {
  return `0x${address.slice(2).padStart(WORD, '0')}`
}

function wordsOf(data: string): string[] {
  return data.match(new RegExp(`.{${WORD}}`, 'g')) ?? []
}

/** A call to no contract brings the code that it runs, which is long. */
function isDeployment(data: string): boolean {
  return data.length > 1_000
}

/** The calls in the argument of `aggregate3`: a list of (target, allowFailure, callData). */
function callsOf(argument: string): string[] {
  const words = wordsOf(argument)
  const numberAt = (index: number): number => Number.parseInt(words[index] ?? '0', 16)
  const count = numberAt(1)
  return Array.from({ length: count }, (_, index) => {
    // Offsets count bytes from behind the length of the list.
    const tuple = 2 + numberAt(2 + index) / 32
    const bytes = tuple + numberAt(tuple + 2) / 32
    const begin = (bytes + 1) * WORD
    return argument.slice(begin, begin + numberAt(bytes) * 2)
  })
}

/** The result of `aggregate3`: a list of (success, one word of data). */
function toResults(words: readonly string[]): string {
  const each = words.map((word) => `${toWord(1n)}${toWord(64n)}${toWord(32n)}${word}`)
  const offsets = words.map((_, index) => toWord(BigInt(words.length * 32 + index * 128)))
  return [toWord(32n), toWord(BigInt(words.length)), ...offsets, ...each].join('')
}
