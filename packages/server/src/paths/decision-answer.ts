import { Type } from 'typebox'
import { APPROVAL_STATUSES } from '../core/approvals/permit.ts'
import type { Decision } from '../core/decision/decide.ts'
import { ownView } from '../core/decision/own-view.ts'
import { toPublicId } from '../core/id.ts'
import { toMicros, toUnits } from '../core/money.ts'
import { PATH_NAMES } from '../core/path.ts'
import type { Principal } from '../core/principal.ts'
import type { Spend } from '../core/spend.ts'
import { type Decided, toDetails } from '../gateway/submission.ts'
import {
  AgentId,
  DecisionCode,
  NullableDecisionCode,
  nullable,
  publicId,
  SpendCategory,
  Sum,
  sumOf,
  Timestamp,
  timeWhen,
  VendorHost,
} from '../http/document/schemas.ts'

// The answer to a decision that all paths share: its schema, and the three ways to build it. A path
// adds its own fields before or after these.

const Outcome = Type.Enum(['pass', 'fail', 'escalate', 'flag'], { type: 'string' })
const figure = (description: string) =>
  Type.Union([Type.Number(), Type.String(), Type.Array(Type.String()), Type.Null()], {
    description,
  })

const Finding = Type.Object(
  {
    id: Type.String({
      description:
        "The id of the rule. For a rule of a parent mandate, the parent's id comes first; an agent-bound key sees `above/` and the type instead.",
    }),
    type: Type.String({ description: 'The type of the rule, such as `amount`, or `budget`.' }),
    outcome: Outcome,
    code: NullableDecisionCode,
    observed: figure('The value that the rule compared: of the spend, or a total.'),
    limit: figure('The value that the rule allows.'),
    window: nullable(
      Type.String({ description: 'The time window or budget period of the rule, if it has one.' }),
    ),
    message: Type.String({ description: 'The result of the rule in one sentence.' }),
  },
  { title: 'Finding' },
)

const ShownApproval = Type.Object(
  {
    id: publicId('apr', 'the approval'),
    status: Type.Enum([...APPROVAL_STATUSES], { type: 'string' }),
    url: Type.Union([Type.String(), Type.Null()], {
      description:
        "The page on which a person decides. Null if the gateway's public URL is not configured.",
    }),
    expiresAt: timeWhen('When the request, or the approval, expires'),
  },
  { title: 'ShownApproval' },
)

const Receipt = Type.Object(
  {
    log: Type.String({ description: "The name of the organization's audit log." }),
    leaf: Type.String({ description: "The hash of the audit log's leaf for this decision." }),
    salt: Type.Union([Type.String(), Type.Null()], {
      description:
        'The salt with which the leaf commits to the decision. Null for an agent-bound key if the decision contains more than the key may see.',
    }),
  },
  {
    title: 'Receipt',
    description: 'Your proof that the audit log must contain this decision. Store it.',
  },
)

const EvaluationDetails = Type.Object(
  {
    code: DecisionCode,
    message: Type.String({ description: 'The decision explained in one sentence.' }),
    mandateVersion: nullable(
      Type.Integer({
        description: 'The version of the mandate that applied. Null without a mandate.',
      }),
    ),
    policyHash: nullable(
      Type.String({
        description: "The hash of the mandate's terms that applied. Null without a mandate.",
      }),
    ),
    evaluatedAt: timeWhen('When the gateway decided'),
    durationMs: Type.Number({
      description: 'Milliseconds from the arrival of the request to the decision.',
    }),
    path: Type.Enum([...PATH_NAMES], { type: 'string' }),
    firstFailure: nullable(
      Type.String({ description: 'The id of the first rule that failed. Null if none did.' }),
    ),
    failed: Type.Array(Type.String(), { description: 'The ids of all rules that failed.' }),
    rules: Type.Array(Finding, { description: 'The result of every rule.' }),
    budget: nullable(
      Type.Object(
        {
          total: sumOf('The budget of the period'),
          spentBefore: sumOf('The amount used before this spend'),
          remaining: sumOf('The budget that remains after the decision'),
          percentUsed: Type.Number({ description: 'The used part of the budget in percent.' }),
          periodEnd: nullable(timeWhen('When the budget resets', 'Null if it never does.')),
        },
        { description: "The mandate's budget. Null if the agent has no active mandate." },
      ),
    ),
    approval: Type.Optional(
      Type.Union([ShownApproval, Type.Null()], {
        description:
          'The approval that the spend requested or presented. Null if there is none, also if the spend needs an approval but the agent already has too many pending requests. Decisions made before approvals existed lack this field.',
      }),
    ),
    next: Type.Object(
      {
        maxAmountNow: Type.Union([Sum, Type.Null()], {
          description:
            'The largest amount that would be approved now, in units of the currency. Null if the gateway cannot name one.',
        }),
        maxAmountWithApproval: Type.Optional(
          Type.Union([Sum, Type.Null()], {
            description:
              "The largest amount that would pass now with a person's approval, in units of the currency. Null if the gateway cannot name one; it can be null although `maxAmountNow` is an amount. Older decisions lack this field.",
          }),
        ),
        retryAfter: Type.Union([Timestamp, Type.Null()], {
          description:
            'When the same amount would be approved, as an ISO 8601 timestamp in UTC. Null if the gateway cannot name a time.',
        }),
      },
      { description: "The agent's options after a rejection." },
    ),
    draftMandateId: Type.Optional(
      publicId(
        'mnd',
        "the agent's newest draft mandate. Only present if the agent has no active mandate",
      ),
    ),
    receipt: Type.Optional(
      Type.Union([Receipt, Type.Null()], {
        description:
          'Your proof that the audit log must contain this decision. Store it. Null for a decline at a deadline, and for a simulation. Null or absent for decisions made before the audit log existed.',
      }),
    ),
  },
  { title: 'EvaluationDetails', description: 'How the gateway reached the decision.' },
)

export const DecisionFields = {
  decision: Type.Enum(['approved', 'rejected'], { type: 'string' }),
  remainingBudget: Type.Number({
    description:
      'The budget that remains after the decision, in units of the currency: the smallest among the mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.',
  }),
  transactionId: publicId('txn', 'the transaction that records the decision'),
  evaluationDetails: EvaluationDetails,
  mandateId: nullable(publicId('mnd', 'the mandate that applied')),
  agentId: AgentId,
  amount: Sum,
  vendor: VendorHost,
  category: SpendCategory,
  flags: Type.Array(Type.String(), {
    description: 'The ids of the rules that flagged the spend without blocking it.',
  }),
}

/** Returns the fields of a decision that this request or an earlier one recorded. */
export function toDecisionFields(decided: Decided) {
  return {
    decision: decided.decision === 'approved' ? ('approved' as const) : ('rejected' as const),
    remainingBudget: toUnits(decided.remainingBudget),
    transactionId: toPublicId('txn', decided.id),
    evaluationDetails: JSON.parse(decided.details),
    mandateId: toMandateId(decided),
    agentId: decided.agentId,
    amount: toUnits(decided.amount),
    vendor: decided.vendor,
    category: decided.category,
    flags: [...decided.flaggedBy],
  }
}

/** Returns the fields of the decision that a spend would get now. Nothing is recorded. */
export function toPreviewFields(spend: Spend, decision: Decision, receivedAt: number) {
  return {
    decision: decision.decision,
    remainingBudget: toUnits(decision.remainingBudget),
    transactionId: null,
    evaluationDetails: JSON.parse(toDetails(decision, receivedAt)),
    mandateId: toMandateId(decision),
    agentId: spend.agentId,
    amount: toUnits(spend.amount),
    vendor: spend.vendor,
    category: spend.category,
    flags: [...decision.flaggedBy],
  }
}

/**
 * Returns the part of the decision that the key may see: a key bound to agents sees only its own
 * mandate.
 */
export function visibleTo({ agentIds }: Pick<Principal, 'agentIds'>, decided: Decided): Decided {
  if (agentIds === null || isOwn(decided.details)) return decided
  const { details, remainingBudget, flags } = ownView({
    details: JSON.parse(decided.details),
    remainingBudget: toUnits(decided.remainingBudget),
    amount: toUnits(decided.amount),
    flags: decided.flaggedBy,
  })
  return {
    ...decided,
    details: JSON.stringify(details),
    remainingBudget: toMicros(remainingBudget),
    flaggedBy: flags,
  }
}

/**
 * Only findings of parent mandates contain the id of a mandate, so most answers stay unchanged. If
 * no rule was judged, `remainingBudget` may still be that of a parent.
 */
function isOwn(details: string): boolean {
  return !details.includes('mnd_') && !details.includes('"rules":[]')
}

/** Does the same for an answer that is not serialized yet. */
export function answerFor<Answer extends AnyAnswer>(
  { agentIds }: Pick<Principal, 'agentIds'>,
  answer: Answer,
): Answer {
  const { evaluationDetails: details, remainingBudget, amount, flags } = answer
  if (agentIds === null || !details || remainingBudget === null || amount === null) return answer
  const seen = ownView({ details, remainingBudget, amount, flags })
  return {
    ...answer,
    evaluationDetails: seen.details,
    remainingBudget: seen.remainingBudget,
    flags: [...seen.flags],
  }
}

interface AnyAnswer {
  readonly evaluationDetails: object | null
  readonly remainingBudget: number | null
  readonly amount: number | null
  readonly flags: readonly string[]
}

/**
 * Serializes the fields and the status. The details were serialized once and are stored as the same
 * text, so a retry gets the same bytes, and nothing is serialized twice.
 */
export function toAnswerText(decided: Decided): string {
  const { mandateId, decision, agentId, amount, vendor, category, status, flaggedBy } = decided
  return (
    `{"decision":"${decision}","remainingBudget":${toUnits(decided.remainingBudget)},` +
    `"transactionId":"${toPublicId('txn', decided.id)}","evaluationDetails":${decided.details},` +
    `"mandateId":${mandateId === null ? null : `"${toPublicId('mnd', mandateId)}"`},` +
    `"agentId":"${agentId}","amount":${toUnits(amount)},"vendor":${JSON.stringify(vendor)},` +
    `"category":${JSON.stringify(category)},"flags":${JSON.stringify(flaggedBy)},"status":"${status}"}`
  )
}

function toMandateId({ mandateId }: { readonly mandateId: string | null }): string | null {
  return mandateId === null ? null : toPublicId('mnd', mandateId)
}
