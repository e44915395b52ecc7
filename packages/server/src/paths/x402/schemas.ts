import { Type } from 'typebox'
import { AgentId, Money, nullable, publicId, Sum, Timestamp } from '../../http/document/schemas.ts'
import { DecisionFields } from '../decision-answer.ts'
import { PresentedApproval, SpenderId, ToldFields } from '../spend-fields.ts'
import { PAYMENT_EXAMPLE } from './examples.ts'
import { ANOMALY_KINDS } from './payment.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const Headers = Type.Record(
  Type.String({ pattern: '^.{1,128}$' }),
  Type.String({ maxLength: 8_192 }),
  { additionalProperties: false, maxProperties: 64 },
)

export const PayBody = Type.Object(
  {
    agentId: SpenderId,
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'What was requested, or is to be. Its host is the vendor that is judged.',
      examples: ['https://api.example.com/v1/data'],
    }),
    mode: Type.Optional(
      Type.Enum(['sign', 'fetch', 'quote'], {
        type: 'string',
        description:
          '`sign`: the agent met a 402 and is given the header that pays it. `fetch`: the gateway calls the URL, pays and gives back the resource. `quote`: judged only. By default: sign where a paymentRequired is given, else fetch.',
      }),
    ),
    method: Type.Optional(
      Type.Enum([...METHODS], { type: 'string', description: 'GET by default.' }),
    ),
    paymentRequired: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Object({}, { additionalProperties: true })], {
        description:
          'The 402 as it came: the PAYMENT-REQUIRED header, or the body, of x402 version 2 or 1.',
      }),
    ),
    acceptIndex: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description: 'Which of the offers to take. By default the cheapest that can be paid.',
      }),
    ),
    maxAmount: Type.Optional(
      Type.Number({
        format: 'money',
        description:
          'The most that may be paid. A price above it is 422 x402_max_amount_exceeded, and nothing is recorded.',
        examples: [0.05],
      }),
    ),
    walletId: Type.Optional(publicId('wal', 'a wallet; by default the first')),
    category: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'What is bought. The category of the vendor directory comes before it.',
        examples: ['data'],
      }),
    ),
    ...ToldFields,
    approvalId: PresentedApproval,
    request: Type.Optional(
      Type.Object(
        {
          headers: Type.Optional(Headers),
          body: Type.Optional(Type.String({ maxLength: 1_400_000 })),
          bodyEncoding: Type.Optional(Type.Enum(['utf8', 'base64'], { type: 'string' })),
        },
        {
          additionalProperties: false,
          description:
            'What is sent to the vendor. Only for fetch. Headers that belong to the connection, to the payment or to somebody as a person (Host, Authorization, Cookie, Forwarded, Proxy-*, PAYMENT-*, X-PAYMENT*) are not passed on.',
        },
      ),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 60_000,
        description: 'For each of the two calls to the vendor; 20000 by default. Only for fetch.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'X402PaymentInput',
    examples: [
      {
        agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
        url: 'https://api.example.com/v1/data',
        category: 'data',
      },
    ],
  },
)

export const Price = Type.Object(
  {
    atomic: Type.String({ description: "In the token's smallest units.", examples: ['10000'] }),
    asset: Type.String({ examples: ['0x036cbd53842c5426634e7929541ec2318f3dcf7e'] }),
    symbol: Type.String({ examples: ['USDC'] }),
    decimals: Type.Integer({ examples: [6] }),
    network: Type.String({ examples: ['eip155:84532'] }),
    currency: Type.String({ examples: ['USD'] }),
  },
  { title: 'X402Price' },
)

const Payee = Type.Object(
  {
    address: Type.String(),
    assurance: Type.Enum(['payto_pinned', 'gateway_observed', 'agent_claimed'], {
      type: 'string',
      description:
        'How it is known that this address is the vendor: from the directory, from a call of the gateway to the vendor, or from the agent alone.',
    }),
  },
  { title: 'X402Payee' },
)

const Payment = Type.Object(
  {
    headerName: Type.Enum(['PAYMENT-SIGNATURE', 'X-PAYMENT'], { type: 'string' }),
    headerValue: Type.String(),
    payload: Type.Object({}, { additionalProperties: true, description: 'The header, decoded.' }),
    x402Version: Type.Integer(),
    nonce: Type.String(),
    validBefore: Timestamp,
  },
  { title: 'X402SignedPayment' },
)

export const Resource = Type.Object(
  {
    status: Type.Integer(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.Unknown({ description: 'Parsed when bodyEncoding is json, otherwise a text.' }),
    bodyEncoding: Type.Enum(['json', 'utf8', 'base64'], { type: 'string' }),
    truncated: Type.Boolean(),
  },
  { title: 'X402Resource' },
)

export const ResourceError = Type.Object({ code: Type.String(), message: Type.String() })

const Settlement = Type.Object(
  {
    state: Type.Enum(['settled', 'pending', 'unknown', 'none'], {
      type: 'string',
      description:
        'settled: the money moved. pending: it may yet. unknown: the payment left, and no word of it. none: no money moves.',
    }),
    transaction: nullable(Type.String()),
    source: nullable(
      Type.Enum(['chain', 'vendor', 'assumed'], {
        type: 'string',
        description: 'Who says so. A vendor alone settles nothing.',
      }),
    ),
    verified: Type.Boolean({ description: 'Whether the chain itself says so.' }),
    settledAmount: nullable(Sum),
  },
  { title: 'X402Settlement' },
)

const Hold = Type.Object(
  {
    id: publicId('txn', 'the transaction that holds the budget'),
    state: Type.Enum(['held', 'settled', 'released'], { type: 'string' }),
    releaseNotBefore: Timestamp,
    budgetRemaining: Sum,
  },
  { title: 'X402Hold' },
)

const Anomaly = Type.Object(
  {
    kind: Type.Enum([...ANOMALY_KINDS], {
      title: 'X402AnomalyKind',
      type: 'string',
      description:
        'asked_again: it answered 402 to the request that carried the payment. price_raised, payee_changed, asset_changed: that 402 asks for other terms than those that were paid. receipt_invented: its receipt names a transfer, and the chain shows that none was made. receipt_differs: its receipt names another transaction than the one that moved the money.',
    }),
    detail: Type.String(),
    at: Timestamp,
  },
  { title: 'X402Anomaly' },
)

export const PayAnswer = Type.Object(
  {
    status: Type.Enum(
      [
        'signed',
        'rejected',
        'quoted',
        'no_payment_required',
        'paid',
        'paid_not_delivered',
        'delivered_unsettled',
        'settlement_unknown',
        'not_paid',
        'settled',
      ],
      {
        title: 'X402PaymentStatus',
        type: 'string',
        description:
          'signed: here is the header. rejected: the mandate says no. quoted: judged only. no_payment_required: the vendor asked for nothing (look at resource.status). paid: delivered, and the chain shows the transfer. paid_not_delivered: the transfer is there, the goods are not. delivered_unsettled: no transfer seen yet. settlement_unknown: the payment left and nothing is known yet. not_paid: it expired unused and the budget is given back. settled: a repeat of sign whose payment was made.',
      },
    ),
    decision: nullable(DecisionFields.decision),
    remainingBudget: nullable(DecisionFields.remainingBudget),
    transactionId: nullable(DecisionFields.transactionId),
    evaluationDetails: nullable(DecisionFields.evaluationDetails),
    mandateId: DecisionFields.mandateId,
    agentId: AgentId,
    amount: nullable(Money),
    vendor: Type.String(),
    category: nullable(Type.String()),
    flags: DecisionFields.flags,
    price: nullable(Price),
    payee: nullable(Payee),
    payment: nullable(Payment),
    resource: nullable(Resource),
    resourceError: nullable(ResourceError),
    settlement: nullable(Settlement),
    hold: nullable(Hold),
    anomalies: Type.Array(Anomaly, {
      description:
        'What the vendor did that does not fit with the payment, as far as it is known; at most 10. Later ones are in `external.anomalies` of the transaction.',
    }),
  },
  { title: 'X402Payment', examples: [PAYMENT_EXAMPLE] },
)
