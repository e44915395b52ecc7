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

/** What is shown of a session: its amounts in major units, and texts of the merchant in bounds. */
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

/** What an answer and the transaction's record say of a checkout. */
export interface External {
  readonly status: CheckoutStatus
  readonly failure: Failure | null
  readonly checkout: ReturnType<typeof toCheckoutShape>
  readonly order: SessionOrder | null
  readonly authentication: Authentication | null
  /** Why the organization was sure that no money moved, where nobody else could tell. */
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

/** It is told as soon as nothing is to be bought any more, and counts once the status is `failed`. */
function failureOf({ state, failure }: AcpCheckout): Failure | null {
  if (state === 'closing') return failure
  if (state !== 'released' || failure === null) return null
  const { code, retryable } = failure
  return { code, retryable }
}
