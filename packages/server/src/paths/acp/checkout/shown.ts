import { toUnits } from '../../../core/money.ts'
import type { Session, SessionOrder } from '../versions/version.ts'
import type {
  AcpCheckout,
  Authentication,
  CheckoutState,
  Failure,
  ShownLine,
  ShownTotal,
} from './checkout.ts'

export type CheckoutStatus =
  | 'completed'
  | 'processing'
  | 'requires_authentication'
  | 'failed'
  | 'evaluated'

/**
 * Returns the shown part of a session: amounts in major units, and texts of the merchant in limited
 * length.
 */
export function shownOf({ totals, lines }: Session): {
  readonly totals: readonly ShownTotal[]
  readonly lineItems: readonly ShownLine[]
} {
  return {
    totals: totals.map(({ type, amount }) => ({ type, amount: toUnits(amount) })),
    lineItems: lines.map(({ id, itemId, name, quantity, amount }) => ({
      id,
      itemId,
      name,
      quantity,
      amount: amount === null ? null : toUnits(amount),
    })),
  }
}

type Shown = Pick<
  AcpCheckout,
  'sessionId' | 'vendor' | 'merchantId' | 'version' | 'currency' | 'totals' | 'lineItems'
>

export function toCheckoutShape(checkout: Shown) {
  const { sessionId, vendor, merchantId, version, currency, totals, lineItems } = checkout
  return {
    sessionId,
    vendor,
    merchantId,
    version,
    currency,
    totals: [...totals],
    lineItems: [...lineItems],
  }
}

export function statusOf(state: CheckoutState): CheckoutStatus {
  switch (state) {
    case 'completed':
    case 'settled':
      return 'completed'
    case 'released':
      return 'failed'
    case 'authenticating':
      return 'requires_authentication'
    case 'held':
    case 'minting':
    case 'minted':
    case 'completing':
    case 'unknown':
    case 'handed':
    case 'closing':
      return 'processing'
  }
}

/** The state of a checkout in answers and in the transaction's `external` field. */
export interface External {
  readonly status: CheckoutStatus
  readonly failure: Failure | null
  readonly checkout: ReturnType<typeof toCheckoutShape>
  readonly order: SessionOrder | null
  readonly authentication: Authentication | null
  /** The organization's reason for voiding a hold that had no other proof. */
  readonly note?: string
}

export function externalOf(checkout: AcpCheckout): External {
  const { state, order, authentication } = checkout
  return {
    status: statusOf(state),
    failure: failureOf(checkout),
    checkout: toCheckoutShape(checkout),
    order,
    authentication: state === 'authenticating' ? authentication : null,
  }
}

/** Shows the failure as soon as nothing will be bought. It is final once the status is `failed`. */
function failureOf({ state, failure }: AcpCheckout): Failure | null {
  if (state === 'closing') return failure
  if (state !== 'released' || failure === null) return null
  const { code, retryable } = failure
  return { code, retryable }
}
