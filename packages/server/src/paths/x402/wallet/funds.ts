import { Problem } from '../../../errors.ts'
import type { Chain } from '../chain/chains.ts'
import { reconcile, type SettlementParts } from '../chain/settlement.ts'
import type { Terms } from '../offers/terms.ts'
import type { X402Payment } from '../payment.ts'
import { X402_PROBLEMS } from '../problems.ts'
import { listOpenPayments, sumOpenPayments } from '../storage/payments.ts'

type Purse = Pick<X402Payment, 'walletId' | 'network' | 'asset'>

/**
 * How many open payments to look at before we believe a shortage: they may have been settled since
 * the reconciler last looked.
 */
const LOOKED_AT_MAX = 10

/**
 * Requires that the wallet can pay, counting what other payments may still take from it. It is a
 * courtesy to the vendor and not a lock: two requests at once may both pass, and the token refuses
 * the second. Returns the height of the chain before anything is signed; null where no chain can be
 * asked.
 */
export async function requireFunds(
  parts: SettlementParts,
  organizationId: string,
  { wallet, offer }: Terms,
): Promise<bigint | null> {
  const { network, address: asset, symbol } = offer.asset
  const chain = parts.chains.chain(network)
  if (!chain) return null
  const purse = { walletId: wallet.id, network, asset }
  try {
    const height = await chain.height()
    const left = (): Promise<bigint> => leftIn(parts, chain, organizationId, purse, wallet.address)
    if ((await left()) >= offer.atomic) return height
    await lookAgain(parts, organizationId, purse)
    if ((await left()) >= offer.atomic) return height
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem(
      X402_PROBLEMS.chain_unavailable,
      `The chain ${network} cannot be asked what the wallet holds, so nothing was signed. Try again shortly.`,
      { cause, retryAfterSeconds: 5 },
    )
  }
  throw new Problem(
    X402_PROBLEMS.wallet_insufficient_funds,
    `The wallet does not hold enough ${symbol} on ${network}, counting what is promised to others already. Send tokens to ${wallet.address}.`,
  )
}

async function leftIn(
  { db }: SettlementParts,
  chain: Chain,
  organizationId: string,
  purse: Purse,
  holder: string,
): Promise<bigint> {
  const [balance, promised] = await Promise.all([
    chain.balanceOf(purse.asset, holder),
    sumOpenPayments(db, organizationId, purse),
  ])
  return balance - promised
}

/** Without this, a payment that was made but not yet booked would be counted twice. */
async function lookAgain(
  parts: SettlementParts,
  organizationId: string,
  purse: Purse,
): Promise<void> {
  const open = await listOpenPayments(parts.db, organizationId, purse, LOOKED_AT_MAX)
  for (const payment of open) await reconcile(parts, payment)
}
