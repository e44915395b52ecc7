import { type ErrorFacts, PurserError } from '../client/errors.ts'
import type { X402Payment } from '../generated/types/index.ts'

/** The payment of a response: the decision, the price, the payee and the settlement. */
export interface X402FetchPayment
  extends Omit<X402Payment, 'payment' | 'resource' | 'resourceError'> {
  /** The `Idempotency-Key` of the call. The same request with it is never paid twice. */
  readonly idempotencyKey: string
}

const payments = new WeakMap<Response, X402FetchPayment>()

/**
 * Returns the payment of a response that `purser.x402.fetch` returned: its `transactionId`, `price`
 * and `settlement`. Its `status` is `no_payment_required` if the vendor asked for no money. Returns
 * undefined for other responses and for clones.
 */
export function paymentOf(response: Response): X402FetchPayment | undefined {
  return payments.get(response)
}

export function attachPayment(response: Response, payment: X402FetchPayment): Response {
  payments.set(response, payment)
  return response
}

/**
 * The gateway paid, or tried to, and there is no complete delivery to return. The codes are
 * `paid_not_delivered`, `settlement_unknown`, `not_paid`, `delivery_truncated`,
 * `delivery_not_kept` and `invalid_response`.
 */
export class X402Error extends PurserError {
  override readonly name = 'X402Error'
  /** Whether money moved. `maybe`: the amount stays held until the chain shows the outcome. */
  readonly moneyMoved: 'yes' | 'maybe' | 'no'
  readonly payment: X402FetchPayment
  /** What the vendor answered, perhaps incomplete. Null if there is nothing. */
  readonly response: Response | null

  constructor(
    detail: string,
    facts: ErrorFacts,
    outcome: Pick<X402Error, 'moneyMoved' | 'payment' | 'response'>,
  ) {
    super(detail, facts)
    this.moneyMoved = outcome.moneyMoved
    this.payment = outcome.payment
    this.response = outcome.response
  }
}
