import {
  APPROVED,
  type Narrowed,
  NULL,
  PRESENT,
  REJECTED,
  type Variant,
} from '../../http/document/variants.ts'

const JUDGED = { remainingBudget: PRESENT, evaluationDetails: PRESENT, settlement: PRESENT }
const APPROVED_PAYMENT = { ...JUDGED, decision: APPROVED, mandateId: PRESENT, amount: PRESENT }
const HELD = { transactionId: PRESENT, payee: PRESENT, hold: PRESENT }
const NO_RESOURCE = { resource: NULL, resourceError: NULL }
const NO_PAYMENT = { payment: NULL, hold: NULL }

const QUOTED: Narrowed = {
  value: 'quoted',
  description: 'The gateway only decided. It recorded, held and signed nothing.',
}

const QUOTE = {
  ...{ ...JUDGED, ...NO_RESOURCE, ...NO_PAYMENT },
  ...{ status: QUOTED, transactionId: NULL, amount: PRESENT, price: PRESENT, payee: PRESENT },
}

const OUTCOME: Narrowed = {
  title: 'X402OutcomeStatus',
  values: [
    'paid',
    'paid_not_delivered',
    'delivered_unsettled',
    'settlement_unknown',
    'not_paid',
    'settled',
  ],
  description:
    '`paid`: the vendor delivered, and the chain shows the transfer. `paid_not_delivered`: the chain shows the transfer, but the vendor did not deliver. `delivered_unsettled`: the vendor delivered, and the chain shows no transfer yet. `settlement_unknown`: the payment was sent and its outcome is not known yet. `not_paid`: the payment expired unused, and its budget was released. `settled`: a repeated `sign` request whose payment has been made.',
}

/** The shapes of the answer to a payment. `status` tells them apart, and `decision` for a quote. */
export const PAYMENT_VARIANTS: readonly Variant[] = [
  {
    title: 'SignedX402Payment',
    description: 'The gateway approved and signed the payment. Send the header to the vendor.',
    fields: {
      ...{ ...APPROVED_PAYMENT, ...HELD, ...NO_RESOURCE, payment: PRESENT },
      status: { value: 'signed', description: '`payment` has the header that pays.' },
    },
  },
  {
    title: 'MadeX402Payment',
    description: 'The gateway approved the payment, and it was made or may be.',
    fields: { ...APPROVED_PAYMENT, ...HELD, status: OUTCOME },
  },
  {
    title: 'RejectedX402Payment',
    // A payment that is rejected before the vendor is called has no transaction and no amount.
    description: 'The gateway rejected the payment. Nothing was signed or paid.',
    fields: {
      ...{ ...JUDGED, ...NO_RESOURCE, ...NO_PAYMENT },
      ...{ decision: REJECTED, price: NULL, payee: NULL },
      status: { value: 'rejected', description: 'The mandate does not allow the payment.' },
    },
  },
  {
    title: 'ApprovedX402Quote',
    description: 'The gateway would approve the payment now.',
    fields: { ...QUOTE, decision: APPROVED, mandateId: PRESENT },
  },
  {
    title: 'RejectedX402Quote',
    description: 'The gateway would reject the payment now.',
    fields: { ...QUOTE, decision: REJECTED },
  },
  {
    title: 'UnpaidX402Resource',
    description: 'The vendor did not ask for a payment, so there was nothing to decide.',
    fields: {
      ...{ decision: NULL, remainingBudget: NULL, transactionId: NULL, evaluationDetails: NULL },
      ...{ mandateId: NULL, amount: NULL, category: NULL, price: NULL, payee: NULL },
      ...{ ...NO_PAYMENT, settlement: NULL },
      status: {
        value: 'no_payment_required',
        description: 'The vendor did not ask for a payment; see `resource.status`.',
      },
    },
  },
]
