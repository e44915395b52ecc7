import type { X402Payment } from '../payment.ts'
import { type Hash, type PublicClient, parseEventLogs } from '../x402-libraries.ts'
import { findTrace } from './authorization-trace.ts'
import { asHex } from './hex.ts'
import { TOKEN_ABI } from './token-abi.ts'

/**
 * The newest block that the gateway treats as final: a block tag, or a number of blocks behind the
 * latest.
 */
export type Finality = 'latest' | 'safe' | 'finalized' | number

/** The outcome of an authorization according to its chain. */
export type Fate =
  | { readonly kind: 'settled'; readonly transaction: string }
  /** It was used, and that is final, but the gateway cannot find the transfer. */
  | { readonly kind: 'unseen' }
  /** It was not used, and can no longer be used. */
  | { readonly kind: 'dead'; readonly transaction: string | null }
  /** It may still be used, or it is too early to be sure. */
  | { readonly kind: 'open' }

interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly timestamp: bigint
}

const OPEN: Fate = { kind: 'open' }

export async function fateOf(
  node: PublicClient,
  payment: X402Payment,
  finality: Finality,
): Promise<Fate> {
  const isUsed = await isUsedAt(node, payment, undefined)
  return isUsed ? fateOfUsed(node, payment, finality) : fateOfUnused(node, payment, finality)
}

/**
 * Reads from the token whether the authorization is used, at a block or at the latest one. Also
 * true for a canceled authorization. Names the block by its hash, so that a node that lacks this
 * block fails instead of answering for a different one.
 */
function isUsedAt(
  node: PublicClient,
  { asset, authorization }: X402Payment,
  block: Block | undefined,
): Promise<boolean> {
  return node.readContract({
    address: asHex(asset),
    abi: TOKEN_ABI,
    functionName: 'authorizationState',
    args: [asHex(authorization.from), asHex(authorization.nonce)],
    ...(block && { blockHash: block.hash, requireCanonical: true }),
  })
}

async function fateOfUsed(
  node: PublicClient,
  payment: X402Payment,
  finality: Finality,
): Promise<Fate> {
  const trace = await findTrace(node, payment)
  if (trace?.kind === 'used' && (await hasTransfer(node, payment, trace.transaction))) {
    return { kind: 'settled', transaction: trace.transaction }
  }
  const final = await finalBlock(node, finality)
  if (trace?.kind === 'canceled') {
    return trace.block <= final.number ? { kind: 'dead', transaction: trace.transaction } : OPEN
  }
  // All evidence says that the money has moved. Waiting for more proof would hold it for ever.
  const isOver = final.timestamp >= BigInt(payment.authorization.validBefore)
  return isOver && (await isUsedAt(node, payment, final)) ? { kind: 'unseen' } : OPEN
}

/** Looks for exactly the signed transfer in the transaction that used the authorization. */
async function hasTransfer(
  node: PublicClient,
  { asset, authorization }: X402Payment,
  hash: Hash,
): Promise<boolean> {
  const { status, logs } = await node.getTransactionReceipt({ hash })
  const transfers = parseEventLogs({ abi: TOKEN_ABI, logs, eventName: 'Transfer' })
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
 * The authorization is dead if a final block has reached its `validBefore`, and it is unused at
 * that same block. Our own clock proves nothing here: a chain may be late (ADR 15).
 */
async function fateOfUnused(
  node: PublicClient,
  payment: X402Payment,
  finality: Finality,
): Promise<Fate> {
  const final = await finalBlock(node, finality)
  if (final.timestamp < BigInt(payment.authorization.validBefore)) return OPEN
  return (await isUsedAt(node, payment, final)) ? OPEN : { kind: 'dead', transaction: null }
}

async function finalBlock(node: PublicClient, finality: Finality): Promise<Block> {
  if (typeof finality === 'string') return node.getBlock({ blockTag: finality })
  const latest = await node.getBlockNumber({ cacheTime: 0 })
  const confirmed = latest - BigInt(finality)
  return node.getBlock({ blockNumber: confirmed < 0n ? 0n : confirmed })
}
