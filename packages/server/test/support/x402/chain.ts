import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  type LocalAccount,
  parseSignature,
  publicActions,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  toHex,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findChainEngine } from './chain-engine.ts'
import { readLabContracts, USDC, USDC_DOMAIN, usdcAbi } from './lab-contracts.ts'
import { createTurns } from './turns.ts'

export interface Transfer {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly transaction: Hex
}

/** A separate real chain on the loopback, which presents itself as Base Sepolia. */
export interface Chain {
  readonly url: string
  /** Gives ether, which pays for gas. A payer of x402 needs none. */
  fund(address: Address): Promise<void>
  mint(address: Address, atomic: bigint): Promise<void>
  balanceOf(address: Address): Promise<bigint>
  /** Whether the authorization was used or cancelled: the token does not say which. */
  authorizationState(from: Address, nonce: Hex): Promise<boolean>
  /** Every transfer of USDC so far, oldest first, except minted amounts. */
  transfers(): Promise<readonly Transfer[]>
  /** Signs with the payer's key; a different account broadcasts it and pays for the gas. */
  cancelAuthorization(payer: LocalAccount, nonce: Hex): Promise<Hex>
  /** The time of the newest block, in seconds. It starts at the time of this machine. */
  now(): Promise<number>
  /** Mines a block that is this many seconds later. */
  increaseTime(seconds: number): Promise<void>
  /** Mines a block with exactly this time, which must be later than the newest block's. */
  mineAt(seconds: number): Promise<void>
  /** While it is off, transactions are accepted but wait for `mine`. */
  setAutomine(on: boolean): Promise<void>
  mine(): Promise<void>
  /** Calls any method of the node. */
  request(method: string, ...parameters: readonly unknown[]): Promise<unknown>
  stop(): Promise<void>
}

const CHAIN_ID = 84_532
/** The CAIP-2 name, which version 2 of x402 uses for chains. */
export const NETWORK = `eip155:${CHAIN_ID}` as const
const RPC_TIMEOUT_MS = 120_000
const POLL_EVERY_MS = 10
const A_THOUSAND_ETHER = 10n ** 21n

export async function startChain(): Promise<Chain> {
  const engine = findChainEngine()
  assert(engine, 'No chain runs on this machine: wrap the tests in describeOnChain.')
  const node = await engine.start(CHAIN_ID)
  const request: Chain['request'] = (method, ...parameters) => call(node.url, method, parameters)
  const bank = createClient(node.url, createAccount())
  const takeTurn = createTurns()
  let isAutomining = true

  const fund: Chain['fund'] = async (address) => {
    await request('hardhat_setBalance', address, toHex(A_THOUSAND_ETHER))
  }

  /** Resolves when the transaction is mined, or once it is sent if automining is off. */
  async function send(broadcast: () => Promise<Hex>): Promise<Hex> {
    const hash = await takeTurn(broadcast)
    if (isAutomining) await waitForReceipt(bank, hash)
    return hash
  }

  for (const { address, code } of readLabContracts())
    await request('hardhat_setCode', address, code)
  await fund(bank.account.address)
  const token = { address: USDC, abi: usdcAbi } as const

  return {
    url: node.url,
    fund,
    request,
    mint: async (address, atomic) => {
      const args = [address, atomic] as const
      await send(() => bank.writeContract({ ...token, functionName: 'mint', args }))
    },
    balanceOf: (address) =>
      bank.readContract({ ...token, functionName: 'balanceOf', args: [address] }),
    authorizationState: (from, nonce) =>
      bank.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce] }),
    transfers: async () => {
      const events = { ...token, eventName: 'Transfer', fromBlock: 0n, strict: true } as const
      const logs = await bank.getContractEvents(events)
      return logs
        .filter(({ args }) => args.from !== zeroAddress)
        .map(({ args, transactionHash }) => ({ ...args, transaction: transactionHash }))
    },
    cancelAuthorization: async (payer, nonce) => {
      const { r, s, yParity } = parseSignature(await signCancellation(payer, nonce))
      const args = [payer.address, nonce, yParity + 27, r, s] as const
      return send(() => bank.writeContract({ ...token, functionName: 'cancelAuthorization', args }))
    },
    now: async () => Number((await bank.getBlock()).timestamp),
    increaseTime: async (seconds) => {
      await request('evm_increaseTime', seconds)
      await request('evm_mine')
    },
    mineAt: async (seconds) => {
      await request('evm_setNextBlockTimestamp', seconds)
      await request('evm_mine')
    },
    setAutomine: async (on) => {
      isAutomining = on
      await request('evm_setAutomine', on)
    },
    mine: async () => {
      await request('evm_mine')
    },
    stop: node.stop,
  }
}

export function createAccount(): LocalAccount {
  return privateKeyToAccount(generatePrivateKey())
}

/** A client that reads and writes. */
export function createClient(url: string, account: LocalAccount) {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'Base Sepolia, as far as the tests go',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const transport = http(url, { timeout: RPC_TIMEOUT_MS, retryCount: 0 })
  return createWalletClient({ account, chain, transport, cacheTime: 0 }).extend(publicActions)
}

/**
 * Polls repeatedly. viem's own function checks once per block. If it checks just before the receipt
 * is there, it waits for the next block, and on this chain there may never be one.
 */
export async function waitForReceipt(
  client: ReturnType<typeof createClient>,
  hash: Hex,
  timeoutMs = RPC_TIMEOUT_MS,
): Promise<TransactionReceipt> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: Error) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    if (receipt !== undefined) return receipt
    if (Date.now() > deadline) throw new Error(`No block holds the transaction ${hash} yet.`)
    await sleep(POLL_EVERY_MS)
  }
}

function signCancellation(payer: LocalAccount, nonce: Hex): Promise<Hex> {
  return payer.signTypedData({
    domain: { ...USDC_DOMAIN, chainId: CHAIN_ID, verifyingContract: USDC },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
  })
  const answer: { result?: unknown; error?: { message: string } } = JSON.parse(
    await response.text(),
  )
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
