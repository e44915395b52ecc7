import type { GatewayApi, TransactionsApi } from '../generated/tree.ts'
import type { Evaluation, SpendInput } from '../generated/types/index.ts'
import { priceOf } from './offer-price.ts'
import {
  type FindStockAsset,
  type StockAbort,
  type StockContext,
  type StockOffer,
  UNSEEN,
} from './stock-client.ts'
import { type SeenOffer, watchOffers } from './watch.ts'

/** The options of `createPurserGuard`. */
export interface PurserGuardOptions
  extends Pick<SpendInput, 'agentId' | 'category' | 'reference' | 'reason' | 'metadata'> {
  /** `findDefaultAsset` of `@x402/evm`: a 402 does not say how many decimals its token has. */
  readonly findDefaultAsset: FindStockAsset
  /** The currency of the tokens. Default: `USD`. */
  readonly currency?: string
  /** How long the hold lasts if this process dies while the wallet signs. Default: `15m`. */
  readonly holdExpiresIn?: string
  /** The `fetch` that calls vendors. Default: that of the runtime. */
  readonly fetch?: typeof globalThis.fetch
  /** Called with each decision. The stock client passes on only the reason of a rejection. */
  readonly onDecision?: (evaluation: Evaluation) => void
}

/** The part of the stock `x402Client` that takes hooks. */
export interface GuardableClient {
  onBeforePaymentCreation(hook: (context: StockContext) => Promise<StockAbort | undefined>): unknown
  onAfterPaymentCreation(hook: (context: StockContext) => Promise<void>): unknown
  onPaymentCreationFailure(hook: (context: StockContext) => Promise<undefined>): unknown
}

/** A guard for a stock x402 client that has a wallet of its own. */
export interface PurserGuard {
  /** Pass it to `wrapFetchWithPayment`. It remembers which address answered with which 402. */
  readonly fetch: typeof globalThis.fetch
  /** Adds the hooks of the guard to the client. Call it after you have added your own hooks. */
  attach<Client extends GuardableClient>(client: Client): Client
}

/**
 * Creates a guard that asks the gateway before the wallet signs. It judges the address that sent the
 * 402, and not the one that the 402 claims.
 *
 * The guard places a hold before the wallet signs, and settles it when the wallet has signed and
 * before the payment is sent: from then on the vendor can cash it, whatever it answers. If the wallet
 * signs nothing, the guard voids the hold. The gateway does not see the chain for such a payment.
 *
 * @example
 * const guard = createPurserGuard(purser, { category: 'data', findDefaultAsset })
 * const client = guard.attach(registerExactEvmScheme(new x402Client(), { signer }))
 * const fetchWithPayment = wrapFetchWithPayment(guard.fetch, client)
 */
export function createPurserGuard(
  purser: {
    readonly gateway: Pick<GatewayApi, 'evaluate'>
    readonly transactions: Pick<TransactionsApi, 'settle' | 'void'>
  },
  options: PurserGuardOptions,
): PurserGuard {
  const { fetch, findDefaultAsset, onDecision, ...fields } = options
  const watch = watchOffers(fetch)
  const judged = new WeakSet<SeenOffer>()
  const holds = new WeakMap<StockOffer, string>()

  async function before(context: StockContext): Promise<StockAbort | undefined> {
    const { paymentRequired, selectedRequirements: offer } = context
    const seen = watch.find(paymentRequired)
    if (!seen) return abort(UNSEEN)
    if (judged.has(seen)) {
      return abort(
        'Purser judged this 402 before. Each signature can be cashed, so send the request again.',
      )
    }
    judged.add(seen)
    const amount = maximumOf(offer, findDefaultAsset)
    if (typeof amount === 'string') return abort(amount)
    const spend = toSpend(fields, seen, offer, amount)
    const { idempotencyKey } = seen
    const evaluation = await purser.gateway.evaluate(spend, { idempotencyKey })
    onDecision?.(evaluation)
    const { transactionId, evaluationDetails } = evaluation
    if (evaluation.decision === 'rejected') {
      return abort(`${evaluationDetails.message} (${evaluationDetails.code}, ${transactionId})`)
    }
    const { missingScope } = evaluation
    if (missingScope) {
      return abort(`The API key needs the scope ${missingScope} to settle the hold.`)
    }
    holds.set(offer, transactionId)
    return undefined
  }

  async function settle({ selectedRequirements }: StockContext): Promise<void> {
    const id = holds.get(selectedRequirements)
    // The signature of a payment that was never judged stays here.
    if (id === undefined) throw new Error(UNSEEN)
    await purser.transactions.settle(id, {})
  }

  async function release({ selectedRequirements }: StockContext): Promise<undefined> {
    const id = holds.get(selectedRequirements)
    // A hold that cannot be voided expires.
    if (id !== undefined) await purser.transactions.void(id, {}).catch(() => {})
  }

  return {
    fetch: watch.fetch,
    attach(client) {
      client.onBeforePaymentCreation(before)
      client.onAfterPaymentCreation(settle)
      client.onPaymentCreationFailure(release)
      return client
    },
  }
}

/** Returns the most that a payment of the offer can cost, or the reason why it is not known. */
function maximumOf(offer: StockOffer, findDefaultAsset: FindStockAsset): number | string {
  // A deposit of other schemes can exceed the price.
  if (offer.scheme !== 'exact' && offer.scheme !== 'upto') {
    return `The guard does not know the cost of the scheme \`${offer.scheme}\`.`
  }
  const asset = findDefaultAsset(offer.asset, offer.network as `${string}:${string}`)
  const amount = asset && priceOf(offer.amount ?? offer.maxAmountRequired, asset.decimals)
  return amount ?? 'The 402 asks for an unknown token or for no valid price.'
}

function toSpend(
  fields: Omit<PurserGuardOptions, 'fetch' | 'findDefaultAsset' | 'onDecision'>,
  { url }: SeenOffer,
  { network, asset, payTo }: StockOffer,
  amount: number,
): SpendInput {
  const { holdExpiresIn: expiresIn = '15m', currency = 'USD', metadata, ...rest } = fields
  return {
    ...rest,
    amount,
    currency,
    vendor: new URL(url).hostname,
    hold: { expiresIn },
    metadata: { ...metadata, x402_network: network, x402_asset: asset, x402_pay_to: payTo },
  }
}

function abort(reason: string): StockAbort {
  return { abort: true, reason }
}
