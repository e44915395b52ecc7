import { Type } from 'typebox'
import { toUnits } from '../../core/money.ts'
import { EXAMPLE_DECISION, exampleDetails } from '../../http/document/examples.ts'
import { AgentId, nullable, publicId, Sum } from '../../http/document/schemas.ts'
import { DecisionFields, toAnswerText } from '../decision-answer.ts'
import type { Authorized } from './authorize.ts'
import { toldOf } from './issuers/decline-map.ts'

const NO_DECISION = 'null where nothing was judged: the card is not known, or nobody could be asked'

const CARD_DECISION_EXAMPLE = {
  ...EXAMPLE_DECISION,
  remainingBudget: 51,
  evaluationDetails: exampleDetails('card', 49),
  amount: 49,
  vendor: 'saas.example.com',
  category: 'software',
  status: 'held',
  code: 'approved',
  approvedAmount: 49,
  retryable: false,
  networkCode: '00',
}

/** What a decision over the generic endpoint is answered with. */
export const CardDecision = Type.Object(
  {
    ...DecisionFields,
    remainingBudget: Type.Union([DecisionFields.remainingBudget, Type.Null()]),
    transactionId: Type.Union([publicId('txn', 'the transaction that records it'), Type.Null()], {
      description: `The transaction that records it; ${NO_DECISION}.`,
    }),
    evaluationDetails: nullable(DecisionFields.evaluationDetails),
    agentId: nullable(AgentId),
    amount: nullable(Sum),
    vendor: nullable(Type.String()),
    status: nullable(Type.Enum(['rejected', 'held', 'settled'], { type: 'string' })),
    code: Type.String({
      description:
        'Why: the code of the decision, or one of those that only cards have, such as `card_unknown`.',
      examples: ['approved'],
    }),
    approvedAmount: Type.Number({ description: 'Less than was asked for on a partial approval.' }),
    retryable: Type.Boolean({ description: 'Whether the merchant may try the same again.' }),
    networkCode: Type.String({
      description: 'The response code of ISO 8583, field 39.',
      examples: ['00'],
    }),
  },
  { title: 'CardDecision', examples: [CARD_DECISION_EXAMPLE] },
)

const UNDECIDED =
  '"decision":"rejected","remainingBudget":null,"transactionId":null,"evaluationDetails":null,' +
  '"mandateId":null,"agentId":null,"amount":null,"vendor":null,"category":null,"flags":[],"status":null'

/** As text: what was stored is answered with the same bytes again. */
export function toCardAnswer({ verdict, decided }: Authorized): string {
  const { isApproved, code, approvedAmount } = verdict
  const { retryable, networkCode } = toldOf(verdict)
  const own =
    `"code":${JSON.stringify(code)},"approvedAmount":${toUnits(approvedAmount)},` +
    `"retryable":${retryable},"networkCode":"${networkCode}"}`
  if (decided) return `${toAnswerText(decided).slice(0, -1)},${own}`
  const undecided = isApproved ? UNDECIDED.replace('"rejected"', '"approved"') : UNDECIDED
  return `{${undecided},${own}`
}
