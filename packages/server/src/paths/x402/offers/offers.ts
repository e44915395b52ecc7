import { MICROS_MAX, type Micros } from '../../../core/money.ts'
import { type Asset, findAsset, networkOfName } from './assets.ts'
import { isRecord, type PaymentRequired } from './payment-required.ts'

const OFFERS_MAX = 20
/** Requires plain digits, because programs read a hexadecimal or padded amount differently. */
export const DIGITS = /^[1-9][0-9]{0,77}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ZERO_ADDRESS = /^0x0{40}$/
const TIMEOUT_MIN_S = 10
const TIMEOUT_MAX_S = 86_400
/** The number of decimals of our own amounts. */
const MICRO_DECIMALS = 6

/** An offer that can be paid. */
export interface Offer {
  /** The position in the vendor's list. */
  readonly index: number
  readonly asset: Asset
  /** The signed amount, in the token's smallest units. */
  readonly atomic: bigint
  /** The same amount in micros, rounded up if the token has more decimals. */
  readonly amount: Micros
  /** The address of the payee, in lower case. */
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  /** The offer exactly as the vendor sent it. */
  readonly original: Readonly<Record<string, unknown>>
}

/** The reasons to refuse an offer. Each text continues a sentence about the offer. */
export const REFUSALS = {
  malformed: 'is not an object with the members of an offer',
  scheme_unsupported: 'has a scheme other than exact',
  transfer_method_unsupported: 'has a transfer method other than eip3009',
  flow_not_allowed: 'charges before it delivers',
  network_not_enabled: 'is on a network that is not enabled here (PURSER_X402_NETWORKS)',
  asset_not_allowed: 'asks for a token that is not listed',
  domain_mismatch: 'names a signing domain that is not that of the token',
  amount_invalid: 'has an amount that is not a positive integer in plain digits, or is too large',
  payee_invalid:
    'names a payee that is not an address, or that is the zero address, the payer or the contract of the token',
  timeout_out_of_range: `has a maxTimeoutSeconds outside ${TIMEOUT_MIN_S} to ${TIMEOUT_MAX_S}`,
  not_looked_at: `is not among the first ${OFFERS_MAX}`,
} as const

export type OfferRefusal = keyof typeof REFUSALS

export interface RefusedOffer {
  readonly index: number
  readonly reason: OfferRefusal
}

export interface Offers {
  /** Sorted by price, cheapest first. Offers of the same price keep the vendor's order. */
  readonly payable: readonly Offer[]
  readonly refused: readonly RefusedOffer[]
}

interface Payer {
  readonly address: string
  isEnabled(network: string): boolean
}

/** Judges each offer separately, with our own strict parser and our own list of tokens. */
export function readOffers({ version, accepts }: PaymentRequired, payer: Payer): Offers {
  const payable: Offer[] = []
  const refused: RefusedOffer[] = []
  accepts.forEach((original, index) => {
    const read = index < OFFERS_MAX ? readOffer(version, original, index, payer) : 'not_looked_at'
    if (typeof read === 'string') refused.push({ index, reason: read })
    else payable.push(read)
  })
  // Offers with the same amount keep the order in which the seller listed them.
  payable.sort((a, b) => Number(a.amount - b.amount))
  return { payable, refused }
}

function readOffer(
  version: 1 | 2,
  original: unknown,
  index: number,
  payer: Payer,
): Offer | OfferRefusal {
  if (!isRecord(original)) return 'malformed'
  const extra = original['extra'] ?? {}
  if (!isRecord(extra)) return 'malformed'
  const manner = refusalOfManner(original, extra)
  if (manner) return manner

  const asset = readAsset(version, original, extra, payer)
  if (typeof asset === 'string') return asset
  const price = readPrice(original[version === 2 ? 'amount' : 'maxAmountRequired'], asset)
  if (!price) return 'amount_invalid'
  const payTo = readPayee(original['payTo'], payer, asset)
  if (payTo === undefined) return 'payee_invalid'
  const maxTimeoutSeconds = original['maxTimeoutSeconds']
  if (!isTimeout(maxTimeoutSeconds)) return 'timeout_out_of_range'
  return { index, asset, ...price, payTo, maxTimeoutSeconds, original }
}

function readAsset(
  version: 1 | 2,
  original: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
  payer: Payer,
): Asset | OfferRefusal {
  const network = networkOf(version, original['network'])
  if (network === undefined || !payer.isEnabled(network)) return 'network_not_enabled'
  const token = original['asset']
  const asset = isAddress(token) ? findAsset(network, token) : undefined
  if (!asset) return 'asset_not_allowed'
  return hasOurDomain(extra, asset) ? asset : 'domain_mismatch'
}

function refusalOfManner(
  { scheme }: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
): OfferRefusal | undefined {
  if (scheme !== 'exact') return 'scheme_unsupported'
  const { assetTransferMethod: method = 'eip3009', paymentFlow = 'authorization' } = extra
  if (method !== 'eip3009') return 'transfer_method_unsupported'
  return paymentFlow === 'authorization' ? undefined : 'flow_not_allowed'
}

export function networkOf(version: 1 | 2, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  return version === 2 ? given : networkOfName(given)
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value)
}

/** A vendor that omits the domain means the token's own. */
function hasOurDomain(extra: Readonly<Record<string, unknown>>, { domain }: Asset): boolean {
  const { name = domain.name, version = domain.version } = extra
  return name === domain.name && version === domain.version
}

function readPrice(
  given: unknown,
  { decimals }: Asset,
): Pick<Offer, 'atomic' | 'amount'> | undefined {
  if (typeof given !== 'string' || !DIGITS.test(given)) return undefined
  const atomic = BigInt(given)
  const amount = toMicros(atomic, decimals)
  return amount === undefined ? undefined : { atomic, amount }
}

/**
 * Refuses the token's own contract as a payee: there is no key for that address, so the money would
 * be lost.
 */
function readPayee(given: unknown, payer: Payer, asset: Asset): string | undefined {
  if (!isAddress(given) || ZERO_ADDRESS.test(given)) return undefined
  const payee = given.toLowerCase()
  return payee === payer.address || payee === asset.address ? undefined : payee
}

function isTimeout(given: unknown): given is number {
  return (
    typeof given === 'number' &&
    Number.isInteger(given) &&
    given >= TIMEOUT_MIN_S &&
    given <= TIMEOUT_MAX_S
  )
}

/**
 * Rounds up, never down, so that the budget never counts less than the payment. Returns undefined
 * if the amount is too large for us.
 */
export function toMicros(atomic: bigint, decimals: number): Micros | undefined {
  const isFiner = decimals > MICRO_DECIMALS
  const unit = 10n ** BigInt(Math.abs(decimals - MICRO_DECIMALS))
  const micros = isFiner ? (atomic + unit - 1n) / unit : atomic * unit
  return micros <= MICROS_MAX ? micros : undefined
}
