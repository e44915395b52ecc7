import { PurserError } from '../client/errors.ts'
import type { X402Api } from '../generated/tree.ts'
import type { X402Method, X402PaymentInput } from '../generated/types/index.ts'
import { requireMaxAmount } from './refusal.ts'
import { type FindStockAsset, type StockContext, type StockOffer, UNSEEN } from './stock-client.ts'
import { type SeenOffer, watchOffers } from './watch.ts'

/** The options of `createPurserScheme`. */
export interface PurserSchemeOptions
  extends Pick<
    X402PaymentInput,
    'agentId' | 'walletId' | 'category' | 'reference' | 'reason' | 'metadata'
  > {
  /** The highest price of a payment, in units of the currency. */
  readonly maxAmount: number
  /** The `fetch` that calls vendors. Default: that of the runtime. */
  readonly fetch?: typeof globalThis.fetch
  /** `findDefaultAsset` of `@x402/evm`, for the spend controls of the stock client. */
  readonly findDefaultAsset?: FindStockAsset
  /**
   * Called with the whole error, such as a `SpendRejectedError`. The stock client passes on only
   * its message.
   */
  readonly onError?: (error: unknown) => void
}

/** A payment as the stock client takes it from a scheme. */
interface SchemePayment {
  readonly x402Version: number
  readonly payload: Record<string, unknown>
  readonly extensions?: Record<string, unknown>
}

/** A scheme for the stock x402 client, and the `fetch` that belongs to it. */
export interface PurserScheme {
  /** Pass it to `wrapFetchWithPayment`. It remembers which address answered with which 402. */
  readonly fetch: typeof globalThis.fetch
  /** Pass it to `register` of the x402 client. It holds no key: the gateway decides and signs. */
  readonly scheme: {
    readonly scheme: 'exact'
    readonly schemeHooks: { onBeforePaymentCreation(context: StockContext): Promise<void> }
    readonly findDefaultAsset?: FindStockAsset
    createPaymentPayload(x402Version: number, offer: StockOffer): Promise<SchemePayment>
  }
}

const METHODS: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] satisfies X402Method[]

/**
 * Creates a scheme `exact` for the stock x402 client that signs through the gateway. The gateway
 * judges the address that sent the 402, and not the one that the 402 claims.
 *
 * @example
 * const { fetch, scheme } = createPurserScheme(purser, { maxAmount: 0.05 })
 * const client = new x402Client().register('eip155:*', scheme).setSpendControls(false)
 * const fetchWithPayment = wrapFetchWithPayment(fetch, client)
 */
export function createPurserScheme(
  purser: { readonly x402: Pick<X402Api, 'pay'> },
  options: PurserSchemeOptions,
): PurserScheme {
  const { fetch, findDefaultAsset, onError, ...fields } = options ?? {}
  requireMaxAmount(fields.maxAmount)
  const watch = watchOffers(fetch)
  const selected = new WeakMap<StockOffer, SeenOffer>()

  async function sign(offer: StockOffer): Promise<SchemePayment> {
    const seen = selected.get(offer)
    if (!seen) throw new PurserError(UNSEEN, { code: 'x402_not_seen' })
    const { url, method, paymentRequired, idempotencyKey } = seen
    const input: X402PaymentInput = {
      ...fields,
      mode: 'sign',
      url,
      ...(METHODS.includes(method) && { method: method as X402Method }),
      paymentRequired,
      acceptIndex: indexOf(offer, seen),
    }
    const { status, payment } = await purser.x402.pay(input, { idempotencyKey }).orThrow()
    if (status === 'signed' && payment) return toSchemePayment(payment)
    throw new PurserError(
      `A payment for this 402 was signed before, and its status is \`${status}\`. To buy again, send the request again.`,
      { code: status, idempotencyKey },
    )
  }

  return {
    fetch: watch.fetch,
    scheme: {
      scheme: 'exact',
      ...(findDefaultAsset && { findDefaultAsset }),
      schemeHooks: {
        // The stock client gives the whole 402 only to hooks, and then the same offer to the scheme.
        async onBeforePaymentCreation({ paymentRequired, selectedRequirements }) {
          const seen = watch.find(paymentRequired)
          if (seen) selected.set(selectedRequirements, seen)
        },
      },
      async createPaymentPayload(_version, offer) {
        try {
          return await sign(offer)
        } catch (error) {
          onError?.(error)
          throw error
        }
      },
    },
  }
}

/** The gateway gets the 402 unchanged, so it needs the position of the offer that the client chose. */
function indexOf(offer: StockOffer, { accepts }: SeenOffer): number {
  const wanted = JSON.stringify(offer)
  const index = accepts.findIndex((it) => JSON.stringify(it) === wanted)
  if (index >= 0) return index
  throw new PurserError(
    'The x402 client selected an offer that is not in the 402. A policy must not change offers. Nothing was signed.',
    { code: 'x402_not_seen' },
  )
}

function toSchemePayment({
  payload,
  x402Version,
}: {
  readonly payload: Readonly<Record<string, unknown>>
  readonly x402Version: number
}): SchemePayment {
  // In version 1 a scheme returns the whole payment, in version 2 only its own part.
  if (x402Version === 1) return payload as unknown as SchemePayment
  const { payload: signed, extensions } = payload as unknown as SchemePayment
  return { x402Version, payload: signed, ...(extensions && { extensions }) }
}
