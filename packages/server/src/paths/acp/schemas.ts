import { Type } from 'typebox'
import { EXAMPLE_DECISION, exampleDetails } from '../../http/document/examples.ts'
import { nullable, publicId, Sum, Timestamp, VendorHost } from '../../http/document/schemas.ts'
import { VARIANTS } from '../../http/document/variants.ts'
import { DecisionFields } from '../decision-answer.ts'
import { PresentedApproval, SpenderId, ToldFields } from '../spend-fields.ts'
import { CHECKOUT_VARIANTS } from './checkout-variants.ts'

/** An object of limited size that the gateway passes on unchanged. */
const Document = (description: string) =>
  Type.Object({}, { additionalProperties: true, maxProperties: 50, description })

const Wish = (description: string, examples: string[]) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description, examples }))

const Amount = (description: string) =>
  Type.Optional(Type.Number({ format: 'money', description, examples: [45] }))

export const CheckoutBody = Type.Object(
  {
    agentId: SpenderId,
    vendor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'The host of a vendor in the directory that has `acp` settings.',
        examples: ['shop.example.com'],
      }),
    ),
    checkoutSessionId: Wish(
      'The id of the checkout session that the agent has filled at the merchant.',
      ['cs_123'],
    ),
    handlerId: Wish(
      'The payment handler of the session to use. Default: the first one that is allowed.',
      ['card_tokenized'],
    ),
    instrumentId: Wish(
      "The organization's payment instrument to use. Default: the first one that the agent may use.",
      ['company-card'],
    ),
    expect: Type.Optional(
      Type.Object(
        {
          amount: Amount('The exact total that the session must have, in units of the currency.'),
          maxAmount: Amount(
            'The highest total that the session may have, in units of the currency.',
          ),
          currency: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z]{3}$',
              description: 'ISO 4217 code that the session must have.',
              examples: ['USD'],
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Conditions that the session must meet, otherwise the checkout is refused. They do not change the amount that is paid.',
        },
      ),
    ),
    buyer: Type.Optional(
      Document(
        'Sent to the merchant, in the format of ACP. Stored encrypted until the checkout ends.',
      ),
    ),
    billingAddress: Type.Optional(
      Document(
        'Sent to the merchant, in the format of ACP. Stored encrypted until the checkout ends.',
      ),
    ),
    category: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The category of the purchase. If the vendor directory has a category for the vendor, that one is used instead.',
        examples: ['office'],
      }),
    ),
    ...ToldFields,
    approvalId: PresentedApproval,
    dryRun: Type.Optional(
      Type.Boolean({
        description: 'If true, the gateway only decides: it holds and records nothing.',
      }),
    ),
    transactionId: Type.Optional(publicId('txn', 'the checkout to continue')),
    authenticationResult: Type.Optional(
      Document(
        "The result of the payer's authentication, in the format of ACP. Only with `transactionId`.",
      ),
    ),
    cancel: Type.Optional(
      Type.Literal(true, { description: 'Cancels the checkout. Only with `transactionId`.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'AcpCheckoutInput',
    examples: [{ vendor: 'shop.example.com', checkoutSessionId: 'cs_123' }],
  },
)

const Checkout = Type.Object(
  {
    sessionId: Type.String({ description: "The merchant's id for the checkout session." }),
    vendor: VendorHost,
    merchantId: Type.String({
      description: 'The merchant that is paid, one of `merchantIds` in the vendor directory.',
    }),
    version: Type.String({ description: 'The ACP version.', examples: ['2026-04-17'] }),
    currency: Type.String({ description: 'ISO 4217 code of all amounts.', examples: ['USD'] }),
    totals: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The kind of total in ACP, such as `subtotal`.' }),
        amount: Sum,
      }),
      { description: 'The totals of the session.' },
    ),
    lineItems: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The id of the line item.' }),
        itemId: Type.String({ description: "The merchant's id for the product." }),
        name: nullable(Type.String({ description: 'The name of the product.' })),
        quantity: Type.Integer({ description: 'The number of units.' }),
        amount: nullable(Sum),
      }),
      { description: 'The products in the session.' },
    ),
  },
  {
    title: 'AcpCheckout',
    description: 'The checkout session as the merchant returned it for the decision.',
  },
)

/** Shows a purchase: the gateway judged, paid and completed the merchant's session. */
const CHECKOUT_EXAMPLE = {
  ...EXAMPLE_DECISION,
  remainingBudget: 55,
  evaluationDetails: exampleDetails('acp', 45),
  amount: 45,
  vendor: 'shop.example.com',
  category: 'office',
  status: 'completed',
  failure: null,
  checkout: {
    sessionId: 'cs_123',
    vendor: 'shop.example.com',
    merchantId: 'acct_merchant_1',
    version: '2026-04-17',
    currency: 'USD',
    totals: [
      { type: 'subtotal', amount: 40 },
      { type: 'fulfillment', amount: 5 },
      { type: 'total', amount: 45 },
    ],
    lineItems: [{ id: 'line_1', itemId: 'item_1', name: 'Toner', quantity: 1, amount: 40 }],
  },
  order: {
    id: 'ord_1',
    permalinkUrl: 'https://shop.example.com/orders/ord_1',
    status: 'confirmed',
  },
  authentication: null,
}

export const CheckoutAnswer = Type.Object(
  {
    ...DecisionFields,
    transactionId: nullable(DecisionFields.transactionId),
    status: Type.Enum(
      ['completed', 'processing', 'requires_authentication', 'failed', 'evaluated'],
      {
        type: 'string',
        description:
          '`completed`: the merchant created the order. `processing`: the outcome is not known yet and the budget stays held; if `failure` is set, it says why nothing will be bought. GET /transactions/:id shows the outcome later. `requires_authentication`: the payer must authenticate. `failed`: nothing was bought. `evaluated`: the gateway only decided.',
      },
    ),
    failure: nullable(
      Type.Object(
        {
          code: Type.String({
            description: 'Why nothing was bought.',
            examples: ['payment_declined'],
          }),
          retryable: Type.Boolean({ description: 'Whether a new attempt can succeed.' }),
          heldUntil: Type.Optional({
            ...Timestamp,
            description:
              'The budget stays held at least until this time (ISO 8601, UTC). Only present while the status is `processing` and the token provider does not answer.',
          }),
        },
        { description: 'Why the checkout failed. Null if it did not.' },
      ),
    ),
    checkout: Checkout,
    order: nullable(
      Type.Object(
        {
          id: Type.String({ description: "The merchant's id for the order." }),
          permalinkUrl: nullable(Type.String({ description: "The order's page at the merchant." })),
          status: nullable(Type.String({ description: 'The status that the merchant reports.' })),
        },
        { description: 'The order. Null until the merchant has created it.' },
      ),
    ),
    authentication: nullable(
      Type.Object(
        {
          metadata: nullable(
            Type.Object(
              {},
              {
                additionalProperties: true,
                description: 'Data for the authentication, in the format of ACP.',
              },
            ),
          ),
          continueUrl: nullable(
            Type.String({ description: 'The page on which the payer can authenticate.' }),
          ),
        },
        { description: 'How the payer authenticates. Null unless the merchant requires it.' },
      ),
    ),
  },
  {
    title: 'AcpCheckoutAnswer',
    description: "The decision on a merchant's checkout session, and the progress of the purchase.",
    examples: [CHECKOUT_EXAMPLE],
    [VARIANTS]: CHECKOUT_VARIANTS,
  },
)
