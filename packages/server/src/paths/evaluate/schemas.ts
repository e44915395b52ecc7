import { Type } from 'typebox'
import { CLOSING_SCOPE } from '../../core/api-key.ts'
import { EXAMPLE_DECISION, EXAMPLE_SPEND } from '../../http/document/examples.ts'
import { Money } from '../../http/document/schemas.ts'
import {
  ABSENT,
  APPROVED_SPEND,
  PRESENT,
  REJECTED_SPEND,
  VARIANTS,
  type Variant,
  variant,
} from '../../http/document/variants.ts'
import { DecisionFields } from '../decision-answer.ts'
import { PresentedApproval, SpenderId, ToldFields } from '../spend-fields.ts'

const Vendor = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'Host name of the vendor, such as `api.openai.com`. From a URL, the gateway takes the host. A single word, such as `openai`, is accepted only if the vendor directory contains it.',
  examples: ['api.openai.com'],
})
const Category = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The category of the purchase, such as `llm`. Rules and totals use it.',
  examples: ['llm'],
})

export const SpendFields = {
  agentId: SpenderId,
  amount: Money,
  vendor: Vendor,
  category: Category,
  currency: Type.Optional(
    Type.String({
      format: 'currency',
      description:
        "ISO 4217 code, or USDC or EURC. Must be the mandate's currency, which is also the default.",
      examples: ['USD'],
    }),
  ),
  ...ToldFields,
  hold: Type.Optional(
    Type.Object(
      {
        expiresIn: Type.String({
          pattern: '^[1-9][0-9]{0,6}[smhd]$',
          description:
            'How long the hold lasts, such as `90s`, `15m`, `2h` or `7d`: from 10 seconds to 30 days. A hold that expires releases its budget.',
          examples: ['15m'],
        }),
      },
      {
        additionalProperties: false,
        description:
          'Places a hold on the amount instead of settling the spend at once. Settle or void the hold later.',
      },
    ),
  ),
}

export const EvaluateBody = Type.Object(
  { ...SpendFields, approvalId: PresentedApproval },
  { additionalProperties: false, title: 'SpendInput', examples: [EXAMPLE_SPEND] },
)

export const EVALUATION_EXAMPLE = { ...EXAMPLE_DECISION, status: 'settled' }

/** An approval has a mandate. A rejection opens no hold, so no key lacks a scope to close it. */
const EVALUATION_VARIANTS: readonly Variant[] = [
  variant('ApprovedEvaluation', APPROVED_SPEND, { mandateId: PRESENT }),
  variant('RejectedEvaluation', REJECTED_SPEND, { missingScope: ABSENT }),
]

export const Evaluation = Type.Object(
  {
    ...DecisionFields,
    status: Type.Enum(['rejected', 'held', 'settled'], { type: 'string' }),
    missingScope: Type.Optional(
      Type.Literal(CLOSING_SCOPE, {
        description:
          'The scope that this key lacks to settle or void the hold that it has just opened. Only present in that case. Close the hold with a key that has the scope, or the hold expires.',
      }),
    ),
  },
  {
    title: 'Evaluation',
    description: 'The decision on a spend. Read `decision` first.',
    examples: [EVALUATION_EXAMPLE],
    [VARIANTS]: EVALUATION_VARIANTS,
  },
)
