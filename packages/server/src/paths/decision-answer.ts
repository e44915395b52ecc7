import { Type } from 'typebox'
import { APPROVAL_STATUSES } from '../core/approvals/permit.ts'
import type { Decision } from '../core/decision/decide.ts'
import { ownView } from '../core/decision/own-view.ts'
import { toPublicId } from '../core/id.ts'
import { toMicros, toUnits } from '../core/money.ts'
import type { Principal } from '../core/principal.ts'
import type { Spend } from '../core/spend.ts'
import { type Decided, toDetails } from '../gateway/submission.ts'
import {
  AgentId,
  DecisionCode,
  NullableDecisionCode,
  nullable,
  publicId,
  Sum,
  Timestamp,
} from '../http/document/schemas.ts'

// What every path answers a decision with: the shape, and the three ways to make it. A path adds
// its own fields before or after these.

const Outcome = Type.Enum(['pass', 'fail', 'escalate', 'flag'], { type: 'string' })
const Figure = Type.Union([Type.Number(), Type.String(), Type.Array(Type.String()), Type.Null()])

const Finding = Type.Object(
  {
    id: Type.String({
      description:
        "The rule's id; rules of a parent carry the parent's id before it. A key bound to agents sees `above/` and the type instead.",
    }),
    type: Type.String(),
    outcome: Outcome,
    code: NullableDecisionCode,
    observed: Figure,
    limit: Figure,
    window: nullable(Type.String()),
    message: Type.String(),
  },
  { title: 'Finding' },
)

const ShownApproval = Type.Object(
  {
    id: publicId('apr', 'the approval'),
    status: Type.Enum([...APPROVAL_STATUSES], { type: 'string' }),
    url: Type.Union([Type.String(), Type.Null()], {
      description:
        'Where a person decides about it; null while nobody has said where the gateway is reached.',
    }),
    expiresAt: Timestamp,
  },
  { title: 'ShownApproval' },
)

const Receipt = Type.Object(
  {
    log: Type.String({ description: "The name of the organization's audit log." }),
    leaf: Type.String({ description: 'The hash of the leaf that the log has of this decision.' }),
    salt: Type.Union([Type.String(), Type.Null()], {
      description:
        'With which the leaf commits to the decision. Null for a key that is bound to agents where the decision says more than it may see.',
    }),
  },
  {
    title: 'Receipt',
    description: 'Proves that the audit log must have a leaf of this decision; keep it.',
  },
)

const EvaluationDetails = Type.Object(
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
    approval: Type.Optional(
      Type.Union([ShownApproval, Type.Null()], {
        description:
          'The approval that the spend asks for, or the one that it presented. Null if there is none, also when a person would have to be asked and too many requests of the agent wait already. Decisions from before there were approvals do not have it.',
      }),
    ),
    next: Type.Object({
      maxAmountNow: Type.Union([Sum, Type.Null()], {
        description: 'The largest amount that would pass now; null when none can be named.',
      }),
      maxAmountWithApproval: Type.Optional(
        Type.Union([Sum, Type.Null()], {
          description:
            'The largest amount that would pass now if a person approved it; null when none can be named, also where `maxAmountNow` is an amount. Decisions from before this was told do not have it.',
        }),
      ),
      retryAfter: Type.Union([Timestamp, Type.Null()], {
        description: 'When this amount would pass; null when no time can be named.',
      }),
    }),
    draftMandateId: Type.Optional(
      publicId('mnd', 'the newest draft of an agent that has no active mandate'),
    ),
    receipt: Type.Optional(
      Type.Union([Receipt, Type.Null()], {
        description:
          'Proves that the audit log must have a leaf of this decision; keep it. Null in an answer that was given at a deadline, and in a dry run. Null or absent in decisions from before there was a log.',
      }),
    ),
  },
  { title: 'EvaluationDetails' },
)

export const DecisionFields = {
  decision: Type.Enum(['approved', 'rejected'], { type: 'string' }),
  remainingBudget: Type.Number({
    description:
      'What is left after the decision, of the mandate or of one above it, whichever has less. A key bound to agents sees what is left of its own mandate.',
  }),
  transactionId: publicId('txn', 'the transaction that records it'),
  evaluationDetails: EvaluationDetails,
  mandateId: nullable(publicId('mnd', 'the mandate that governed')),
  agentId: AgentId,
  amount: Sum,
  vendor: Type.String(),
  category: nullable(Type.String()),
  flags: Type.Array(Type.String(), {
    description: 'The ids of the rules that flagged the spend without standing in its way.',
  }),
}

/** The fields of a decision that was recorded, by this request or by an earlier one. */
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

/** The fields of what would be decided now; nothing is recorded. */
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

/** The decision as the holder of the key may see it; a bound key sees its own mandate alone. */
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
 * Only findings of mandates above hold the id of a mandate, so most answers stay as they are. Where no
 * rule was asked, what is left may still be that of a mandate above.
 */
function isOwn(details: string): boolean {
  return !details.includes('mnd_') && !details.includes('"rules":[]')
}

/** The same for an answer that is not text yet. */
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
 * The fields and the status, as text. The details were written once and are stored as this same
 * text, so a repeated request gets the same bytes, and nothing is serialized twice.
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
