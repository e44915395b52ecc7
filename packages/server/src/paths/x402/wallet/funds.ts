import { Problem } from '../../../base/errors.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { ChainClocks } from '../chain/chain-clocks.ts'
import { reconcile, type SettlementParts } from '../chain/settlement.ts'
import { findAsset } from '../offers/assets.ts'
import type { Terms } from '../offers/terms.ts'
import type { X402Payment } from '../payment.ts'
import { X402_PROBLEMS } from '../problems.ts'
import { listOpenPayments, sumOpenPayments } from '../storage/payments.ts'
import { validityOf } from './authorization.ts'

type Purse = Pick<X402Payment, 'organizationId' | 'walletId' | 'network' | 'asset'>

/** A wallet's balance of a token. Null if the network has no node. */
export type Funds = {
  readonly balance: bigint
  /**
   * The database's time before the chain was read. Payments that are booked later are not in the
   * balance.
   */
  readonly readAt: Instant
} | null

/**
 * The number of open payments to look up before a shortage is believed: they may have settled since
 * the reconciler last checked.
 */
const LOOKED_AT_MAX = 10

/** The state of the chain and the wallet before a payment is decided. */
export interface Outlook {
  /** The height of the chain before the payment is signed. */
  readonly fromBlock: bigint | null
  readonly funds: Funds
  /** The start of the payment's validity. Undefined means our own time, the usual case. */
  readonly reckonFrom: Instant | undefined
}

/**
 * Requires that the wallet can pay, including the amounts that other open payments may still take.
 * This is a first check, before anything is recorded, and concurrent requests may all pass it.
 * `signing.ts` decides under the wallet's lock which of them are signed, with the funds that this
 * function returns. It compares the clock of the chain in the same step, because the time comes
 * with the height.
 */
export async function requireFunds(
  parts: SettlementParts & { readonly clocks: ChainClocks },
  organizationId: string,
  { wallet, offer }: Terms,
): Promise<Outlook> {
  const { network, address: asset } = offer.asset
  const chain = parts.chains.chain(network)
  if (!chain) return { fromBlock: null, funds: null, reckonFrom: undefined }
  const purse = { organizationId, walletId: wallet.id, network, asset }
  const left = async () => {
    const [funds, promised] = await Promise.all([
      readBalance(parts, purse, wallet.address),
      sumOpenPayments(parts.db, organizationId, purse),
    ])
    return { funds, atomic: (funds?.balance ?? 0n) - promised }
  }
  return asking(network, async () => {
    const head = await chain.head()
    const first = await left()
    const ours = first.funds?.readAt ?? parts.now()
    const reckonFrom = await parts.clocks.compare(
      { network, chain, head },
      { ours, validityMs: validityOf(offer) * 1_000 },
    )
    const fromBlock = head.height
    if (first.atomic >= offer.atomic) return { fromBlock, funds: first.funds, reckonFrom }
    await lookAgain(parts, purse)
    const { atomic, funds } = await left()
    if (atomic < offer.atomic) throw insufficientFunds(purse, wallet.address)
    return { fromBlock, funds, reckonFrom }
  })
}

/** Reads the wallet's funds for a payment that another process decided, or one that died. */
export function readFunds(parts: SettlementParts, payment: X402Payment): Promise<Funds> {
  return asking(payment.network, async () => {
    if (!parts.chains.chain(payment.network)) return null
    await lookAgain(parts, payment)
    return readBalance(parts, payment, payment.authorization.from)
  })
}

export function insufficientFunds({ network, asset }: Purse, holder: string): Problem {
  const symbol = findAsset(network, asset)?.symbol ?? 'tokens'
  return new Problem(
    X402_PROBLEMS.wallet_insufficient_funds,
    `The wallet does not have enough ${symbol} on ${network}, after other pending payments. Send tokens to ${holder}.`,
  )
}

/**
 * The order matters: a payment that is booked between the two reads is counted twice, never missed.
 */
async function readBalance(
  { db, chains, clock }: SettlementParts,
  { network, asset }: Purse,
  holder: string,
): Promise<Funds> {
  const chain = chains.chain(network)
  if (!chain) return null
  const readAt = await clock(db)
  return { readAt, balance: await chain.balanceOf(asset, holder) }
}

async function asking<T>(network: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem(
      X402_PROBLEMS.chain_unavailable,
      `The balance of the wallet could not be read from the chain ${network}, so nothing was signed. Retry shortly.`,
      { cause, retryAfterSeconds: 5 },
    )
  }
}

/**
 * Looks up open payments, because a payment that was made but not yet booked would be counted
 * twice.
 */
async function lookAgain(parts: SettlementParts, purse: Purse): Promise<void> {
  const open = await listOpenPayments(parts.db, purse.organizationId, purse, LOOKED_AT_MAX)
  for (const payment of open) await reconcile(parts, payment)
}
