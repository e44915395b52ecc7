import { Type } from 'typebox'
import { MONEY_MAX } from '../../../core/money.ts'
import { Money, publicId, Timestamp } from '../../../http/document/schemas.ts'

/** As the issuer names something. It is compared byte for byte, so only what is seen is allowed. */
function idOfIssuer(description: string, example: string) {
  return Type.String({ pattern: '^[!-~]{1,255}$', description, examples: [example] })
}

const Currency = Type.String({
  format: 'currency',
  description: "The card's currency.",
  examples: ['USD'],
})

const Amount = Type.Number({
  minimum: 0,
  maximum: MONEY_MAX,
  description: 'In units of the currency, with at most six decimals.',
  examples: [49],
})

const Card = Type.Object(
  { externalId: idOfIssuer('As the issuer names the card. Never its number.', 'tok_1') },
  { additionalProperties: false },
)

const Merchant = Type.Object(
  {
    name: Type.String({
      maxLength: 200,
      description: 'What stands on the statement.',
      examples: ['EXAMPLE SAAS INC'],
    }),
    id: Type.Optional(idOfIssuer('The id that its bank gave to the merchant.', '100200300400')),
    network: Type.Optional(idOfIssuer('The network in which the id is known.', 'visa')),
    mcc: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}$',
        description: 'The merchant category code.',
        examples: ['5734'],
      }),
    ),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{2,3}$', description: 'ISO 3166-1.', examples: ['US'] }),
    ),
    url: Type.Optional(Type.String({ maxLength: 2_048 })),
  },
  { additionalProperties: false },
)

const OccurredAt = {
  ...Timestamp,
  description:
    "By the issuer's clock. ISO 8601. A time more than five minutes ahead counts as the time of receipt.",
}

const CONNECTION = publicId('conn', 'a connection whose provider is `generic`')

export const AuthorizeBody = Type.Object(
  {
    connectionId: CONNECTION,
    requestId: idOfIssuer(
      'Unique within the connection. A repeat with the same `authorizationId` gets the first answer, however late it comes and whatever else it says.',
      'net-123-1',
    ),
    authorizationId: idOfIssuer(
      'What several requests and events of one purchase have in common.',
      'net-123',
    ),
    type: Type.Enum(
      ['initial', 'incremental', 'verification', 'refund', 'balance_inquiry', 'single_message'],
      {
        title: 'CardAuthorizationType',
        type: 'string',
        description:
          '`incremental`: more is asked for what was approved before. `verification`: whether the card may be used; nothing is held. `single_message`: what is approved is captured at once. `refund` and `balance_inquiry` are not judged.',
      },
    ),
    card: Card,
    amount: Type.Optional({
      ...Amount,
      description:
        'What is asked for in addition to what was approved before, in units of the currency. Required, and more than 0, with `initial`, `incremental` and `single_message`.',
    }),
    totalAmount: Type.Optional({
      ...Money,
      description:
        'What all requests of this authorization come to, from issuers that send that. What is judged is then the difference to what was approved before.',
    }),
    currency: Currency,
    merchantAmount: Type.Optional({ ...Amount, description: 'In the currency of the merchant.' }),
    merchantCurrency: Type.Optional(Type.String({ format: 'currency', examples: ['GBP'] })),
    partialApprovalSupported: Type.Optional(Type.Boolean()),
    merchant: Merchant,
    initiator: Type.Optional(Type.Enum(['cardholder', 'merchant', 'unknown'], { type: 'string' })),
    occurredAt: OccurredAt,
  },
  {
    additionalProperties: false,
    title: 'CardAuthorizeInput',
    examples: [
      {
        connectionId: 'conn_019a85617c5e7d409b5e6f1f0a3c2b11',
        requestId: 'net-123-1',
        authorizationId: 'net-123',
        type: 'initial',
        card: { externalId: 'tok_1' },
        amount: 49,
        currency: 'USD',
        merchant: { name: 'EXAMPLE SAAS INC', id: '100200300400', mcc: '5734', country: 'US' },
        occurredAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

export const EventBody = Type.Object(
  {
    connectionId: CONNECTION,
    eventId: idOfIssuer('Unique within the connection. A repeat changes nothing.', 'net-evt-1'),
    type: Type.Enum(
      [
        'capture',
        'adjust',
        'reverse',
        'expire',
        'close',
        'refund',
        'refund_reversal',
        'dispute_reinstated',
        'dispute_rescinded',
        'provider_decision',
        'card_status',
      ],
      {
        title: 'CardEventType',
        type: 'string',
        description:
          '`adjust`: the amount is what may be captured in all. `reverse`: the amount is given up; without an amount, everything is. `close`: nothing more will be captured. `provider_decision`: the issuer approved or declined by itself.',
      },
    ),
    authorizationId: Type.Optional(
      idOfIssuer('Left out for money that moved without an authorization.', 'net-123'),
    ),
    requestId: Type.Optional(
      idOfIssuer(
        'With `provider_decision` and `adjust`: the request that this answers. It covers that request and those before it, whatever `occurredAt` says.',
        'net-123-1',
      ),
    ),
    externalTransactionId: Type.Optional(
      idOfIssuer(
        'The capture or refund as the issuer names it: it counts once, however many events tell it. With a dispute, the capture that is disputed.',
        'net-cap-1',
      ),
    ),
    card: Type.Optional(Card),
    merchant: Type.Optional(Merchant),
    amount: Type.Optional(Amount),
    currency: Type.Optional(Currency),
    final: Type.Optional(
      Type.Boolean({ description: 'With `capture`: nothing more will be captured.' }),
    ),
    approved: Type.Optional(Type.Boolean({ description: 'With `provider_decision`.' })),
    cause: Type.Optional(
      Type.Enum(['timeout', 'error'], {
        type: 'string',
        description: 'With `provider_decision`: what was wrong with our answer.',
      }),
    ),
    status: Type.Optional(
      Type.Enum(['active', 'paused', 'closed'], {
        type: 'string',
        description: 'With `card_status`.',
      }),
    ),
    occurredAt: OccurredAt,
  },
  {
    additionalProperties: false,
    title: 'CardEventInput',
    examples: [
      {
        connectionId: 'conn_019a85617c5e7d409b5e6f1f0a3c2b11',
        eventId: 'net-evt-1',
        type: 'capture',
        authorizationId: 'net-123',
        externalTransactionId: 'net-cap-1',
        amount: 49,
        currency: 'USD',
        final: true,
        occurredAt: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
)
