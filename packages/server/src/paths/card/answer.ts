import { Type } from 'typebox'
import { toUnits } from '../../core/money.ts'
import { EXAMPLE_DECISION, exampleDetails } from '../../http/document/examples.ts'
import {
  AgentId,
  KnownCode,
  nullable,
  open,
  publicId,
  Sum,
  VendorHost,
} from '../../http/document/schemas.ts'
import {
  APPROVED,
  APPROVED_SPEND,
  NULL,
  PRESENT,
  REJECTED,
  REJECTED_SPEND,
  VARIANTS,
  type Variant,
  variant,
} from '../../http/document/variants.ts'
import { DecisionFields, toAnswerText } from '../decision-answer.ts'
import type { Authorized } from './authorize.ts'
import { toldOf } from './issuers/decline-map.ts'

const NO_DECISION =
  'Null if no decision was recorded, for example because the card is not registered or the database did not answer in time'

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

/** A retry may come after retention has removed the details. */
const RECORDED = {
  ...{ remainingBudget: PRESENT, transactionId: PRESENT },
  ...{ agentId: PRESENT, amount: PRESENT, vendor: PRESENT },
}
const NOT_RECORDED = {
  ...{ remainingBudget: NULL, transactionId: NULL, evaluationDetails: NULL, mandateId: NULL },
  ...{ agentId: NULL, amount: NULL, vendor: NULL, category: NULL, status: NULL },
}

const CARD_VARIANTS: readonly Variant[] = [
  variant('ApprovedCardDecision', APPROVED_SPEND, RECORDED),
  variant('RejectedCardDecision', REJECTED_SPEND, RECORDED),
  {
    title: 'UnrecordedCardApproval',
    description:
      'The connection approves what the gateway could not decide in time. No decision was recorded.',
    fields: { decision: APPROVED, ...NOT_RECORDED },
  },
  {
    title: 'UnrecordedCardDecline',
    description: 'The gateway declined. No decision was recorded.',
    fields: { decision: REJECTED, ...NOT_RECORDED },
  },
]

/** The answer of the generic endpoint to a card request. */
export const CardDecision = Type.Object(
  {
    ...DecisionFields,
    remainingBudget: Type.Union([DecisionFields.remainingBudget, Type.Null()]),
    transactionId: Type.Union(
      [publicId('txn', 'the transaction that records the decision'), Type.Null()],
      {
        description: `The id of the transaction that records the decision. ${NO_DECISION}.`,
      },
    ),
    evaluationDetails: nullable(DecisionFields.evaluationDetails),
    agentId: nullable(AgentId),
    amount: nullable(Sum),
    vendor: nullable(VendorHost),
    status: nullable(Type.Enum(['rejected', 'held', 'settled'], { type: 'string' })),
    code: open(KnownCode, {
      description:
        'The reason: a decision code, or a code that only cards have, such as `card_unknown`.',
      examples: ['approved'],
    }),
    approvedAmount: Type.Number({
      description:
        'The approved amount in units of the currency; 0 for a decline. A partial approval is less than the requested amount.',
    }),
    retryable: Type.Boolean({ description: 'Whether the merchant may retry the same request.' }),
    networkCode: Type.String({
      description: 'The response code for the card network (ISO 8583, field 39).',
      examples: ['00'],
    }),
  },
  {
    title: 'CardDecision',
    description: 'The decision on a card authorization. `status` is null if it was not recorded.',
    examples: [CARD_DECISION_EXAMPLE],
    [VARIANTS]: CARD_VARIANTS,
  },
)

const UNDECIDED =
  '"decision":"rejected","remainingBudget":null,"transactionId":null,"evaluationDetails":null,' +
  '"mandateId":null,"agentId":null,"amount":null,"vendor":null,"category":null,"flags":[],"status":null'

/** Returns text, so that a stored decision is answered with the same bytes again. */
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
