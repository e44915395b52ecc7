import { Type } from 'typebox'
import { CLOSING_SCOPE } from '../../core/api-key.ts'
import { EXAMPLE_DECISION, EXAMPLE_SPEND } from '../../http/document/examples.ts'
import { Money } from '../../http/document/schemas.ts'
import { DecisionFields } from '../decision-answer.ts'
import { PresentedApproval, SpenderId, ToldFields } from '../spend-fields.ts'

const Vendor = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'Host name of the vendor; a URL is reduced to its host. One word, such as `openai`, is taken only if the vendor directory has it.',
  examples: ['api.openai.com'],
})
const Category = Type.String({ minLength: 1, maxLength: 64, examples: ['llm'] })

export const SpendFields = {
  agentId: SpenderId,
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
  ...ToldFields,
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

export const EvaluateBody = Type.Object(
  { ...SpendFields, approvalId: PresentedApproval },
  { additionalProperties: false, title: 'SpendInput', examples: [EXAMPLE_SPEND] },
)

export const EVALUATION_EXAMPLE = { ...EXAMPLE_DECISION, status: 'settled' }

export const Evaluation = Type.Object(
  {
    ...DecisionFields,
    status: Type.Enum(['rejected', 'held', 'settled'], { type: 'string' }),
    missingScope: Type.Optional(
      Type.Literal(CLOSING_SCOPE, {
        description:
          'Set where the spend opened a hold and the key that asks cannot settle or void it: the scope that it lacks. A key that has this scope has to close the hold, or it expires.',
      }),
    ),
  },
  { title: 'Evaluation', examples: [EVALUATION_EXAMPLE] },
)
