import { Type } from 'typebox'
import {
  AgentId,
  Money,
  nullable,
  publicId,
  SpendCategory,
  sumOf,
  timeWhen,
  VendorHost,
} from '../../http/document/schemas.ts'
import { VARIANTS } from '../../http/document/variants.ts'
import { DecisionFields } from '../decision-answer.ts'
import { PresentedApproval, SpenderId, ToldFields } from '../spend-fields.ts'
import { PAYMENT_EXAMPLE } from './examples.ts'
import { ANOMALY_KINDS } from './payment.ts'
import { PAYMENT_VARIANTS } from './payment-variants.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const Headers = Type.Record(
  Type.String({ pattern: '^.{1,128}$' }),
  Type.String({ maxLength: 8_192 }),
  { additionalProperties: false, maxProperties: 64, description: 'Request headers, at most 64.' },
)

export const PayBody = Type.Object(
  {
    agentId: SpenderId,
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'The URL that the agent requested, or that the gateway should request. Its host is the vendor of the spend.',
      examples: ['https://api.example.com/v1/data'],
    }),
    mode: Type.Optional(
      Type.Enum(['sign', 'fetch', 'quote'], {
        type: 'string',
        description:
          '`sign`: the agent received a 402 response, and the gateway returns the header that pays it. `fetch`: the gateway calls the URL, pays, and returns the resource. `quote`: the gateway only decides; nothing is recorded or paid. Default: `sign` if `paymentRequired` is set, otherwise `fetch`.',
      }),
    ),
    method: Type.Optional(
      Type.Enum([...METHODS], {
        type: 'string',
        description: 'The HTTP method of the request to the vendor. Default: GET.',
      }),
    ),
    paymentRequired: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Object({}, { additionalProperties: true })], {
        description:
          "The vendor's 402 response, unchanged: the PAYMENT-REQUIRED header or the response body, in x402 version 1 or 2.",
      }),
    ),
    acceptIndex: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description:
          'Which offer in `accepts` to pay, counted from 0. Default: the cheapest offer that can be paid.',
      }),
    ),
    maxAmount: Type.Optional(
      Type.Number({
        format: 'money',
        description:
          'The highest price to pay, in units of the currency. If the price is higher, the response is 422 `x402_max_amount_exceeded` and nothing is recorded.',
        examples: [0.05],
      }),
    ),
    walletId: Type.Optional(
      publicId('wal', "the wallet to pay from. Default: the organization's first wallet"),
    ),
    category: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The category of the purchase. If the vendor directory has a category for the vendor, that one is used instead.',
        examples: ['data'],
      }),
    ),
    ...ToldFields,
    approvalId: PresentedApproval,
    request: Type.Optional(
      Type.Object(
        {
          headers: Type.Optional(Headers),
          body: Type.Optional(
            Type.String({ maxLength: 1_400_000, description: 'The request body.' }),
          ),
          bodyEncoding: Type.Optional(Type.Enum(['utf8', 'base64'], { type: 'string' })),
        },
        {
          additionalProperties: false,
          description:
            "The request to send to the vendor. Only for `fetch`. The gateway does not forward headers of the connection, the payment or a person's identity: Host, Authorization, Cookie, Forwarded, Proxy-*, PAYMENT-*, X-PAYMENT*.",
        },
      ),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 60_000,
        description:
          'Timeout in milliseconds for each of the two calls to the vendor. Default: 20000. Only for `fetch`.',
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
    atomic: Type.String({
      description: "The price in the token's smallest unit.",
      examples: ['10000'],
    }),
    asset: Type.String({
      description: "The address of the token's contract.",
      examples: ['0x036cbd53842c5426634e7929541ec2318f3dcf7e'],
    }),
    symbol: Type.String({ description: 'The symbol of the token.', examples: ['USDC'] }),
    decimals: Type.Integer({ description: 'The decimals of the token.', examples: [6] }),
    network: Type.String({ description: 'The chain, as a CAIP-2 id.', examples: ['eip155:84532'] }),
    currency: Type.String({
      description: 'The currency that one token stands for.',
      examples: ['USD'],
    }),
  },
  { title: 'X402Price', description: 'The price that the vendor asks for.' },
)

const Payee = Type.Object(
  {
    address: Type.String({ description: 'The address that is paid.' }),
    assurance: Type.Enum(['payto_pinned', 'gateway_observed', 'agent_claimed'], {
      type: 'string',
      description:
        'How the gateway knows that this address belongs to the vendor. `payto_pinned`: it is in the vendor directory. `gateway_observed`: the gateway called the vendor and saw it. `agent_claimed`: only the agent says so.',
    }),
  },
  { title: 'X402Payee', description: 'The recipient of the payment.' },
)

const Payment = Type.Object(
  {
    headerName: Type.Enum(['PAYMENT-SIGNATURE', 'X-PAYMENT'], { type: 'string' }),
    headerValue: Type.String({ description: 'The value of the header to send to the vendor.' }),
    payload: Type.Object(
      {},
      { additionalProperties: true, description: 'The decoded content of the header.' },
    ),
    x402Version: Type.Integer({ description: 'The x402 version of the payment.' }),
    nonce: Type.String({ description: 'The nonce of the signed authorization.' }),
    validBefore: timeWhen('When the signed payment expires'),
  },
  {
    title: 'X402SignedPayment',
    description: 'The signed payment. Send it to the vendor as a header.',
  },
)

export const Resource = Type.Object(
  {
    status: Type.Integer({ description: "The HTTP status of the vendor's response." }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: "The headers of the vendor's response.",
    }),
    body: Type.Unknown({
      description:
        'The response body: parsed JSON if `bodyEncoding` is `json`, otherwise a string.',
    }),
    bodyEncoding: Type.Enum(['json', 'utf8', 'base64'], { type: 'string' }),
    truncated: Type.Boolean({ description: 'Whether `body` is incomplete.' }),
  },
  { title: 'X402Resource', description: "The vendor's response to the paid request." },
)

export const ResourceError = Type.Object(
  {
    code: Type.String({ description: 'The kind of failure.' }),
    message: Type.String({ description: 'The failure in one sentence.' }),
  },
  { description: 'Why there is no `resource`. Null if there is one, or none was requested.' },
)

const Settlement = Type.Object(
  {
    state: Type.Enum(['settled', 'pending', 'unknown', 'none'], {
      type: 'string',
      description:
        '`settled`: the money moved. `pending`: the money may still move. `unknown`: the payment was sent and its outcome is not known. `none`: no money moves.',
    }),
    transaction: nullable(
      Type.String({ description: 'The hash of the transaction on the chain. Null if not known.' }),
    ),
    source: nullable(
      Type.Enum(['chain', 'vendor', 'assumed'], {
        type: 'string',
        description:
          "The source of `state`: the chain, the vendor, or an assumption of the gateway. The vendor's word alone never settles a payment.",
      }),
    ),
    verified: Type.Boolean({ description: 'Whether the chain confirms `state`.' }),
    settledAmount: nullable(sumOf('The amount that was paid')),
  },
  { title: 'X402Settlement', description: 'Whether the money moved.' },
)

const Hold = Type.Object(
  {
    id: publicId('txn', 'the transaction that holds the budget'),
    state: Type.Enum(['held', 'settled', 'released'], { type: 'string' }),
    releaseNotBefore: timeWhen('The earliest time at which an unpaid hold is released'),
    budgetRemaining: sumOf('The remaining budget'),
  },
  { title: 'X402Hold', description: 'The hold on the budget.' },
)

const Anomaly = Type.Object(
  {
    kind: Type.Enum([...ANOMALY_KINDS], {
      title: 'X402AnomalyKind',
      type: 'string',
      description:
        "`asked_again`: the vendor returned 402 to the request that carried the payment. `price_raised`, `payee_changed`, `asset_changed`: that second 402 asks for different terms than the ones that were paid. `receipt_invented`: the vendor's receipt names a transfer that the chain does not have. `receipt_differs`: the receipt names a different transaction than the one that moved the money.",
    }),
    detail: Type.String({ description: "The vendor's behaviour in one sentence." }),
    at: timeWhen('When the gateway noticed it'),
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
          '`signed`: `payment` has the header that pays. `rejected`: the mandate does not allow the payment. `quoted`: the gateway only decided. `no_payment_required`: the vendor did not ask for a payment; see `resource.status`. `paid`: the vendor delivered, and the chain shows the transfer. `paid_not_delivered`: the chain shows the transfer, but the vendor did not deliver. `delivered_unsettled`: the vendor delivered, and the chain shows no transfer yet. `settlement_unknown`: the payment was sent and its outcome is not known yet. `not_paid`: the payment expired unused, and its budget was released. `settled`: a repeated `sign` request whose payment has been made.',
      },
    ),
    decision: nullable(DecisionFields.decision),
    remainingBudget: nullable(DecisionFields.remainingBudget),
    transactionId: nullable(DecisionFields.transactionId),
    evaluationDetails: nullable(DecisionFields.evaluationDetails),
    mandateId: DecisionFields.mandateId,
    agentId: AgentId,
    amount: nullable(Money),
    vendor: VendorHost,
    category: SpendCategory,
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
        'Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later ones appear in `external.anomalies` of the transaction.',
    }),
  },
  {
    title: 'X402Payment',
    description:
      'The decision on an x402 payment, and its outcome. `status` says which fields have values.',
    examples: [PAYMENT_EXAMPLE],
    [VARIANTS]: PAYMENT_VARIANTS,
  },
)
