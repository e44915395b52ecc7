import type { Anomaly, X402Payment } from '../payment.ts'
import { DIGITS, isAddress, networkOf } from './offers.ts'
import { isRecord, type PaymentRequired } from './payment-required.ts'

/** The same limit as for the offers before a payment. */
const OFFERS_MAX = 20
/** Matches CAIP-2. Our own texts do not repeat any other form. */
const NETWORK = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** An offer in a 402 that answers a payment. The gateway compares it, and never pays it. */
interface Asked {
  readonly network: string
  readonly asset: string
  readonly payTo: string
  readonly amount: bigint
}

/**
 * Finds terms that a vendor changed after it was paid. Compares the offer nearest to the paid one,
 * because a vendor may make several offers and only one of them was taken.
 */
export function compareTerms(
  payment: X402Payment,
  { version, accepts }: PaymentRequired,
): Omit<Anomaly, 'at'>[] {
  const { network, asset, authorization } = payment
  const asked = accepts.slice(0, OFFERS_MAX).flatMap((offer) => readAsked(version, offer) ?? [])
  const [nearest] = asked.toSorted(
    (a, b) => distance(payment, a) - distance(payment, b) || (a.amount < b.amount ? -1 : 1),
  )
  if (!nearest) return []
  const found: Omit<Anomaly, 'at'>[] = []
  const isSameToken = isTokenOf(payment, nearest)
  if (!isSameToken) {
    const detail = `After it was paid in the token ${asset} on ${network}, the vendor asks for ${nearest.asset} on ${nearest.network}.`
    found.push({ kind: 'asset_changed', detail })
  }
  if (nearest.payTo !== authorization.to) {
    const detail = `After a payment to ${authorization.to}, the vendor asks for a payment to ${nearest.payTo}.`
    found.push({ kind: 'payee_changed', detail })
  }
  if (isSameToken && nearest.amount > authorization.value) {
    const detail = `After it was paid ${authorization.value} of the token's smallest units, the vendor asks for ${nearest.amount}.`
    found.push({ kind: 'price_raised', detail })
  }
  return found
}

function isTokenOf({ network, asset }: X402Payment, asked: Asked): boolean {
  return asked.network === network && asked.asset === asset
}

function distance(payment: X402Payment, asked: Asked): number {
  const isSamePayee = asked.payTo === payment.authorization.to
  return (isTokenOf(payment, asked) ? 0 : 2) + (isSamePayee ? 0 : 1)
}

/** Also reads offers with tokens and networks that the gateway cannot pay. */
function readAsked(version: 1 | 2, offer: unknown): Asked | undefined {
  if (!isRecord(offer)) return undefined
  const { asset, payTo } = offer
  const network = networkOf(version, offer['network'])
  const amount = offer[version === 2 ? 'amount' : 'maxAmountRequired']
  if (network === undefined || !NETWORK.test(network)) return undefined
  if (!isAddress(asset) || !isAddress(payTo)) return undefined
  if (typeof amount !== 'string' || !DIGITS.test(amount)) return undefined
  return {
    network,
    asset: asset.toLowerCase(),
    payTo: payTo.toLowerCase(),
    amount: BigInt(amount),
  }
}
