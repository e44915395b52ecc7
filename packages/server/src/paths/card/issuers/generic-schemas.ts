import { Type } from 'typebox'
import { MONEY_MAX } from '../../../core/money.ts'
import { Money, publicId, Timestamp } from '../../../http/document/schemas.ts'

/** An issuer's id. It is compared byte for byte, so only visible characters are allowed. */
function idOfIssuer(description: string, example: string) {
  return Type.String({ pattern: '^[!-~]{1,255}$', description, examples: [example] })
}

const Currency = Type.String({
  format: 'currency',
  description: "The card's currency, as an ISO 4217 code.",
  examples: ['USD'],
})

const Amount = Type.Number({
  minimum: 0,
  maximum: MONEY_MAX,
  description: 'Amount in units of the currency, with at most six decimals.',
  examples: [49],
})

const Card = Type.Object(
  { externalId: idOfIssuer("The issuer's id for the card. Never the card number.", 'tok_1') },
  { additionalProperties: false, description: 'The card that was used.' },
)

const Merchant = Type.Object(
  {
    name: Type.String({
      maxLength: 200,
      description: "The merchant's name as it appears on the card statement.",
      examples: ['EXAMPLE SAAS INC'],
    }),
    id: Type.Optional(
      idOfIssuer("The merchant id that the merchant's bank has assigned.", '100200300400'),
    ),
    network: Type.Optional(
      idOfIssuer('The card network in which the merchant id is valid.', 'visa'),
    ),
    mcc: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}$',
        description: 'The merchant category code (ISO 18245), four digits.',
        examples: ['5734'],
      }),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2,3}$',
        description: "The merchant's country, as an ISO 3166-1 code.",
        examples: ['US'],
      }),
    ),
    url: Type.Optional(Type.String({ maxLength: 2_048, description: "The merchant's website." })),
  },
  { additionalProperties: false, description: 'The merchant that is paid.' },
)

const OccurredAt = {
  ...Timestamp,
  description:
    "When it happened by the issuer's clock (ISO 8601). If this time is more than five minutes in the future, the gateway uses the time of receipt.",
}

const CONNECTION = publicId('conn', 'the connection. Its provider must be `generic`')

export const AuthorizeBody = Type.Object(
  {
    connectionId: CONNECTION,
    requestId: idOfIssuer(
      'Your id for this request, unique within the connection. A repeat with the same `authorizationId` gets the first response again, at any later time and whatever its other fields contain.',
      'net-123-1',
    ),
    authorizationId: idOfIssuer(
      'The id of the purchase. All requests and events of one purchase share it.',
      'net-123',
    ),
    type: Type.Enum(
      ['initial', 'incremental', 'verification', 'refund', 'balance_inquiry', 'single_message'],
      {
        title: 'CardAuthorizationType',
        type: 'string',
        description:
          '`initial`: the first request for a purchase. `incremental`: raises an authorization that was approved before. `verification`: checks the card; nothing is held. `single_message`: an approved amount is captured at once. `refund` and `balance_inquiry`: approved unless the card is paused or closed; not judged and not recorded.',
      },
    ),
    card: Card,
    amount: Type.Optional({
      ...Amount,
      description:
        'The requested amount in units of the currency, in addition to earlier approvals of this authorization. Required, and more than 0, for `initial`, `incremental` and `single_message`.',
    }),
    totalAmount: Type.Optional({
      ...Money,
      description:
        'The total of all requests of this authorization, for issuers that send it. The gateway then decides on the difference to the amount approved so far.',
    }),
    currency: Currency,
    merchantAmount: Type.Optional({
      ...Amount,
      description: "The amount in the merchant's currency.",
    }),
    merchantCurrency: Type.Optional(
      Type.String({
        format: 'currency',
        description: "The merchant's currency, as an ISO 4217 code.",
        examples: ['GBP'],
      }),
    ),
    partialApprovalSupported: Type.Optional(
      Type.Boolean({
        description: 'Whether the merchant accepts a partial approval. Default: false.',
      }),
    ),
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
    eventId: idOfIssuer(
      'Your id for this event, unique within the connection. A repeat has no effect.',
      'net-evt-1',
    ),
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
          "`capture`: money was taken. `adjust`: `amount` is the new total that may be captured. `reverse`: `amount` is released; without an amount, the whole hold is. `expire`, `close`: nothing is held any more. `refund`, `refund_reversal`: money came back, or a refund was taken back. `dispute_reinstated`, `dispute_rescinded`: the same because of a dispute. `provider_decision`: the issuer approved or declined on its own. `card_status`: the card's status at the issuer changed.",
      },
    ),
    authorizationId: Type.Optional(
      idOfIssuer(
        'The id of the purchase, as in the authorization request. Omit it for money that moved without an authorization.',
        'net-123',
      ),
    ),
    requestId: Type.Optional(
      idOfIssuer(
        'Only for `provider_decision` and `adjust`: the id of the request that this event answers. The event applies to that request and all earlier ones, whatever `occurredAt` says.',
        'net-123-1',
      ),
    ),
    externalTransactionId: Type.Optional(
      idOfIssuer(
        "The issuer's id for the capture or refund. It counts once, however many events report it. For a dispute, the id of the disputed capture.",
        'net-cap-1',
      ),
    ),
    card: Type.Optional(Card),
    merchant: Type.Optional(Merchant),
    amount: Type.Optional(Amount),
    currency: Type.Optional(Currency),
    final: Type.Optional(
      Type.Boolean({ description: 'Only for `capture`: true if nothing more will be captured.' }),
    ),
    approved: Type.Optional(
      Type.Boolean({ description: 'Only for `provider_decision`: whether the issuer approved.' }),
    ),
    cause: Type.Optional(
      Type.Enum(['timeout', 'error'], {
        type: 'string',
        description:
          'Only for `provider_decision`: why the issuer decided without the gateway. `timeout`: its response came too late. `error`: its response was not usable.',
      }),
    ),
    status: Type.Optional(
      Type.Enum(['active', 'paused', 'closed'], {
        type: 'string',
        description: "Only for `card_status`: the card's new status.",
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
