import {
  APPROVED,
  type Narrowed,
  NULL,
  PRESENT,
  REJECTED,
  type Variant,
} from '../../http/document/variants.ts'

const EVALUATED: Narrowed = {
  value: 'evaluated',
  description: 'The gateway only decided. It recorded and bought nothing.',
}

const NOTHING_BOUGHT = { order: NULL, authentication: NULL }
const EVALUATION = { status: EVALUATED, transactionId: NULL, failure: NULL, ...NOTHING_BOUGHT }

/** The shapes of the answer to a checkout. `decision` and `status` tell them apart. */
export const CHECKOUT_VARIANTS: readonly Variant[] = [
  {
    title: 'ApprovedAcpCheckout',
    description: 'The gateway approved the purchase. `status` says how far it got.',
    fields: {
      ...{ decision: APPROVED, transactionId: PRESENT, mandateId: PRESENT },
      status: {
        title: 'ApprovedAcpCheckoutStatus',
        values: ['completed', 'processing', 'requires_authentication', 'failed'],
        description:
          '`completed`: the merchant created the order. `processing`: the outcome is not known yet and the budget stays held; if `failure` is set, it says why nothing will be bought. GET /transactions/:id shows the outcome later. `requires_authentication`: the payer must authenticate. `failed`: nothing was bought.',
      },
    },
  },
  {
    title: 'RejectedAcpCheckout',
    description: 'The gateway rejected the purchase. Nothing was bought.',
    fields: {
      ...{ decision: REJECTED, transactionId: PRESENT, failure: PRESENT, ...NOTHING_BOUGHT },
      status: { value: 'failed', description: 'Nothing was bought.' },
    },
  },
  {
    title: 'ApprovedAcpEvaluation',
    description: 'The gateway would approve the purchase now.',
    fields: { ...EVALUATION, decision: APPROVED, mandateId: PRESENT },
  },
  {
    title: 'RejectedAcpEvaluation',
    description: 'The gateway would reject the purchase now.',
    fields: { ...EVALUATION, decision: REJECTED },
  },
]
