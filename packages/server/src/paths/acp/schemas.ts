import { Type } from 'typebox'
import { nullable, publicId, Sum, Timestamp } from '../../http/document/schemas.ts'
import { DecisionFields } from '../decision-answer.ts'
import { PresentedApproval, SpenderId, ToldFields } from '../spend-fields.ts'
import { CHECKOUT_EXAMPLE } from './examples.ts'

/** What is handed on as it came, in bounds. */
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
        description: 'The host of a directory entry that has `acp`.',
        examples: ['shop.example.com'],
      }),
    ),
    checkoutSessionId: Wish('The session that the agent has filled at the merchant.', ['cs_123']),
    handlerId: Wish(
      'Which of the ways to pay of the session. By default the first that may be used.',
      ['card_tokenized'],
    ),
    instrumentId: Wish(
      'Which instrument of the organization. By default the first that the agent may use.',
      ['company-card'],
    ),
    expect: Type.Optional(
      Type.Object(
        {
          amount: Amount('The total must be exactly this.'),
          maxAmount: Amount('The total must not be more than this.'),
          currency: Type.Optional(
            Type.String({ pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.', examples: ['USD'] }),
          ),
        },
        {
          additionalProperties: false,
          description: 'What must be true of the session. It changes nothing about what is paid.',
        },
      ),
    ),
    buyer: Type.Optional(
      Document('Handed to the merchant, as ACP writes it; sealed until the end.'),
    ),
    billingAddress: Type.Optional(
      Document('Handed to the merchant, as ACP writes it; sealed until the end.'),
    ),
    category: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'What is bought. The category of the vendor directory comes before it.',
        examples: ['office'],
      }),
    ),
    ...ToldFields,
    approvalId: PresentedApproval,
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Judged only: nothing is held or recorded.' }),
    ),
    transactionId: Type.Optional(publicId('txn', 'a checkout to go on with')),
    authenticationResult: Type.Optional(
      Document('What the payer has proved, as ACP writes it. Only with transactionId.'),
    ),
    cancel: Type.Optional(
      Type.Literal(true, { description: 'Gives the checkout up. Only with transactionId.' }),
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
    sessionId: Type.String(),
    vendor: Type.String(),
    merchantId: Type.String({ description: 'Who is paid, as the directory allows it.' }),
    version: Type.String({ examples: ['2026-04-17'] }),
    currency: Type.String({ examples: ['USD'] }),
    totals: Type.Array(Type.Object({ type: Type.String(), amount: Sum })),
    lineItems: Type.Array(
      Type.Object({
        id: Type.String(),
        itemId: Type.String(),
        name: nullable(Type.String()),
        quantity: Type.Integer(),
        amount: nullable(Sum),
      }),
    ),
  },
  {
    title: 'AcpCheckout',
    description: 'The session as the merchant showed it when it was judged.',
  },
)

export const CheckoutAnswer = Type.Object(
  {
    ...DecisionFields,
    transactionId: nullable(DecisionFields.transactionId),
    status: Type.Enum(
      ['completed', 'processing', 'requires_authentication', 'failed', 'evaluated'],
      {
        type: 'string',
        description:
          'completed: the order is made. processing: it is not known yet, and the budget stays held; a failure says why nothing will be bought; GET /transactions/:id shows the end. requires_authentication: the payer has to prove something. failed: nothing was bought. evaluated: judged only.',
      },
    ),
    failure: nullable(
      Type.Object({
        code: Type.String({ examples: ['payment_declined'] }),
        retryable: Type.Boolean({ description: 'Whether the same again may help.' }),
        heldUntil: Type.Optional({
          ...Timestamp,
          description:
            'Only while the status is processing and the issuer cannot be asked: the budget stays held at least until then.',
        }),
      }),
    ),
    checkout: Checkout,
    order: nullable(
      Type.Object({
        id: Type.String(),
        permalinkUrl: nullable(Type.String()),
        status: nullable(Type.String()),
      }),
    ),
    authentication: nullable(
      Type.Object({
        metadata: nullable(Type.Object({}, { additionalProperties: true })),
        continueUrl: nullable(Type.String()),
      }),
    ),
  },
  { title: 'AcpCheckoutAnswer', examples: [CHECKOUT_EXAMPLE] },
)
