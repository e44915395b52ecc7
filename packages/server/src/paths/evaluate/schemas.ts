import { Type } from 'typebox'
import {
  AgentId,
  DecisionCode,
  Money,
  nullable,
  publicId,
  Sum,
  Timestamp,
} from '../../http/schemas.ts'

const Vendor = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Host name of the vendor; a URL is reduced to its host.',
  examples: ['api.openai.com'],
})
const Category = Type.String({ minLength: 1, maxLength: 64, examples: ['llm'] })

export const SpendFields = {
  agentId: AgentId,
  amount: Money,
  vendor: Vendor,
  category: Category,
  currency: Type.Optional(
    Type.String({
      format: 'currency',
      description: "Must be the mandate's, which is also the default.",
      examples: ['USD'],
    }),
  ),
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Your own name for the purchase.' }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Why the agent spends; kept, not judged.',
    }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String({ pattern: '^.{1,64}$' }), Type.String({ maxLength: 500 }), {
      maxProperties: 20,
    }),
  ),
  hold: Type.Optional(
    Type.Object(
      {
        expiresIn: Type.String({
          pattern: '^[1-9][0-9]{0,6}[smhd]$',
          description: 'From 10 s to 30 days; then the budget is given back.',
          examples: ['15m'],
        }),
      },
      {
        additionalProperties: false,
        description:
          'Holds the amount, to be settled or voided later, instead of settling at once.',
      },
    ),
  ),
}

export const SPEND_EXAMPLE = {
  agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
  amount: 12.5,
  vendor: 'api.openai.com',
  category: 'llm',
}

export const EvaluateBody = Type.Object(SpendFields, {
  additionalProperties: false,
  title: 'SpendInput',
  examples: [SPEND_EXAMPLE],
})

const Outcome = Type.Enum(['pass', 'fail', 'escalate', 'flag'], { type: 'string' })
const Figure = Type.Union([Type.Number(), Type.String(), Type.Array(Type.String()), Type.Null()])

const Finding = Type.Object(
  {
    id: Type.String({
      description: "The rule's id; rules of a parent carry the parent's id before it.",
    }),
    type: Type.String(),
    outcome: Outcome,
    code: nullable(DecisionCode),
    observed: Figure,
    limit: Figure,
    window: nullable(Type.String()),
    message: Type.String(),
  },
  { title: 'Finding' },
)

export const EvaluationDetails = Type.Object(
  {
    code: DecisionCode,
    message: Type.String({ description: 'One plain sentence.' }),
    mandateVersion: nullable(Type.Integer()),
    policyHash: nullable(Type.String()),
    evaluatedAt: Timestamp,
    durationMs: Type.Number({ description: 'From the arrival of the request to the verdict.' }),
    path: Type.String(),
    firstFailure: nullable(Type.String()),
    failed: Type.Array(Type.String()),
    rules: Type.Array(Finding),
    budget: nullable(
      Type.Object({
        total: Sum,
        spentBefore: Sum,
        remaining: Sum,
        percentUsed: Type.Number(),
        periodEnd: nullable(Timestamp),
      }),
    ),
    approval: Type.Null(),
    next: Type.Object({
      maxAmountNow: Type.Union([Sum, Type.Null()], {
        description: 'The largest amount that would pass now; null when none can be named.',
      }),
      retryAfter: Type.Union([Timestamp, Type.Null()], {
        description: 'When this amount would pass; null when waiting does not help.',
      }),
    }),
    receipt: Type.Null({ description: 'Signed receipts come with the audit log.' }),
  },
  { title: 'EvaluationDetails' },
)

export const Evaluation = Type.Object(
  {
    decision: Type.Enum(['approved', 'rejected'], { type: 'string' }),
    remainingBudget: Type.Number({ description: 'What is left after the decision.' }),
    transactionId: publicId('txn', 'the transaction that records it'),
    evaluationDetails: EvaluationDetails,
    mandateId: nullable(publicId('mnd', 'the mandate that governed')),
    agentId: AgentId,
    amount: Money,
    vendor: Type.String(),
    category: nullable(Type.String()),
    status: Type.Enum(['rejected', 'held', 'settled'], { type: 'string' }),
  },
  { title: 'Evaluation' },
)
