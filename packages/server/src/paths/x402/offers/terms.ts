import { Problem } from '../../../base/errors.ts'
import type { DirectoryEntry } from '../../../core/directory-entry.ts'
import { showMoney } from '../../../core/money.ts'
import type { KnownPayee, Spend } from '../../../core/spend.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { toVendor } from '../../../core/vendor.ts'
import { findDirectoryEntry } from '../../../storage/directory-entries.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { newId } from '../../../storage/new-id.ts'
import type { Chains } from '../chain/chains.ts'
import type { PayRequest } from '../pay-request.ts'
import type { Wallet } from '../payment.ts'
import { X402_PROBLEMS } from '../problems.ts'
import { findWallet } from '../storage/wallets.ts'
import { type Offer, type Offers, REFUSALS, type RefusedOffer, readOffers } from './offers.ts'
import type { PaymentRequired } from './payment-required.ts'

/** Limits the errors in an answer, because a vendor's list of offers may be very long. */
const REFUSALS_TOLD_MAX = 25

/** The price, the payee and the wallet of a payment that is not decided yet. */
export interface Terms {
  readonly wallet: Wallet
  readonly offer: Offer
  readonly required: PaymentRequired
  readonly directory: DirectoryEntry | undefined
}

export async function findTerms(
  { db, chains }: { readonly db: Database; readonly chains: Chains },
  request: PayRequest,
  required: PaymentRequired,
): Promise<Terms> {
  const { organizationId, walletId, vendor } = request
  const [wallet, directory] = await Promise.all([
    findWallet(db, organizationId, walletId),
    findDirectoryEntry(db, organizationId, vendor),
  ])
  if (!wallet) throw noWallet(walletId)
  const payer = { address: wallet.address, isEnabled: chains.isEnabled }
  return { wallet, offer: choose(readOffers(required, payer), request), required, directory }
}

/**
 * The party that vouches for the payee if the directory does not. `vendor_denies`: the vendor makes
 * a different offer.
 */
export type Witness = 'agent' | 'vendor' | 'vendor_denies'

/** A spend on this path always has a payee. */
export interface X402Spend extends Spend {
  readonly payee: KnownPayee
}

/** Returns the spend for paying the offer. */
export function toSpend(
  request: PayRequest,
  terms: Terms,
  witness: Witness,
  now: Instant,
): X402Spend {
  const { offer, directory } = terms
  return {
    transactionId: newId(now),
    organizationId: request.organizationId,
    agentId: request.agentId,
    path: 'x402',
    amount: offer.amount,
    currency: offer.asset.currency,
    vendor: request.vendor,
    category: directory?.category ?? request.category,
    reference: request.reference,
    payee: toPayee(request, terms, witness),
    // The hold has no timeout: only the chain knows when the money can no longer move.
    holdMs: Number.POSITIVE_INFINITY,
    card: null,
  }
}

function choose({ payable, refused }: Offers, { acceptIndex, maxAmount }: PayRequest): Offer {
  const [cheapest] = payable
  const wished = payable.find(({ index }) => index === acceptIndex)
  const offer = acceptIndex === undefined ? cheapest : wished
  if (!offer) throw noOffer(refused, acceptIndex)
  if (maxAmount === undefined || offer.amount <= maxAmount) return offer
  const { currency } = offer.asset
  throw new Problem(
    X402_PROBLEMS.x402_max_amount_exceeded,
    `The price is ${showMoney(offer.amount, currency)}, and maxAmount is ${showMoney(maxAmount, currency)}, so nothing was paid.`,
  )
}

function toPayee(request: PayRequest, terms: Terms, witness: Witness): KnownPayee {
  const { offer, directory } = terms
  const { network } = offer.asset
  const address = offer.payTo
  const assurance = witness === 'vendor' ? 'gateway_observed' : 'agent_claimed'
  const pinned = directory?.payees ?? []
  if (pinned.some((known) => known.network === network && known.address === address)) {
    return { network, address, assurance: 'payto_pinned', mismatch: null }
  }
  const isPinned = pinned.length > 0
  const mismatch = isPinned
    ? `The vendor directory lists payees for ${request.vendor}, but not ${address} on ${network}.`
    : doubtOf(request, terms, witness)
  return { network, address, assurance, mismatch }
}

/** Returns the reason to doubt a payee that is not pinned, or null. */
function doubtOf(
  { vendor }: PayRequest,
  { offer, required }: Terms,
  witness: Witness,
): string | null {
  if (witness === 'vendor') return null
  if (witness === 'vendor_denies') {
    return `The gateway asked ${vendor}, and its offer differs from the one that the agent sent, which pays ${offer.payTo}. Do not add that address to the vendor directory unless the vendor confirms it.`
  }
  // A vendor behind a proxy may not know its own name. But an attacker can use the same difference
  // to pass off one vendor's request as that of another vendor.
  const named = required.version === 1 ? offer.original['resource'] : required.resourceUrl
  const claimed = typeof named === 'string' ? toVendor(named) : vendor
  if (claimed === vendor) return null
  return `The payment request is for ${claimed ?? 'a different address'}, not for ${vendor}. If the vendor confirms that ${offer.payTo} is its address, add it to the vendor directory.`
}

function noWallet(walletId: string | undefined): Problem {
  if (walletId !== undefined) {
    return new Problem(
      X402_PROBLEMS.wallet_not_found,
      'This wallet does not exist in this organization.',
    )
  }
  return new Problem(
    X402_PROBLEMS.wallet_not_configured,
    'The organization has no wallet to pay from. Create one with POST /wallets and send tokens to its address.',
  )
}

function noOffer(refused: readonly RefusedOffer[], wish: number | undefined): Problem {
  const errors = refused.slice(0, REFUSALS_TOLD_MAX).map(({ index, reason }) => ({
    path: `/accepts/${index}`,
    code: reason,
    message: REFUSALS[reason],
  }))
  const named = refused.find(({ index }) => index === wish) ?? refused[0]
  const which =
    wish === undefined
      ? 'None of the offers can be paid'
      : `Offer ${wish} does not exist or cannot be paid`
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more, see errors)` : ''
  return new Problem(
    X402_PROBLEMS.x402_no_acceptable_offer,
    named ? `${which}: /accepts/${named.index} ${REFUSALS[named.reason]}${more}.` : `${which}.`,
    { errors },
  )
}
