import { type Static, Type } from 'typebox'
import { MAY_NOT_DECIDE_REASONS } from '../../approvals/may-decide.ts'
import { actorText } from '../../core/actor.ts'
import type { Approval as CoreApproval } from '../../core/approvals/approval.ts'
import { APPROVAL_STATUSES, approvalStatusAt } from '../../core/approvals/permit.ts'
import type { Finding } from '../../core/decision/evaluate.ts'
import { ownView } from '../../core/decision/own-view.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import { PATH_NAMES } from '../../core/path.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { Requester, requesterFor } from '../../http/document/requester.ts'
import {
  AgentId,
  NullableDecisionCode,
  nullable,
  publicId,
  SpendCategory,
  SpendReference,
  sumOf,
  timeWhen,
  toTimestamp,
  VendorHost,
} from '../../http/document/schemas.ts'
import { PRESENT, VARIANTS, type Variant } from '../../http/document/variants.ts'
import {
  type AskingSpend,
  HISTORY_MAX,
  LISTED_HISTORY_MAX,
  listedHistoryOf,
} from '../../storage/approvals/context.ts'
import type { ApprovalContext } from './context.ts'
import { APPROVAL_EXAMPLE } from './examples.ts'

export const ApprovalId = publicId('apr', 'the approval')
export const ApprovalStatus = Type.Enum([...APPROVAL_STATUSES], {
  type: 'string',
  description:
    '`pending`: no decision yet. `approved`: can be used once, until `expiresAt`. `rejected`: a person said no. `used`: a spend was made with it. `expired`: it was not decided, or not used, in time.',
})

const figure = (description: string) =>
  Type.Union([Type.Number(), Type.String(), Type.Array(Type.String()), Type.Null()], {
    description,
  })

const AskingRule = Type.Object(
  {
    id: Type.String({ description: 'The id of the rule.' }),
    type: Type.String({ description: 'The type of the rule.' }),
    code: NullableDecisionCode,
    observed: figure('The value that the rule compared: of the spend, or a total.'),
    limit: figure('The value that the rule allows.'),
    window: nullable(Type.String({ description: 'The time window of the rule, if it has one.' })),
    message: Type.String({ description: 'Why the rule requires an approval, in one sentence.' }),
  },
  { title: 'AskingRule' },
)

const ApprovalDecision = Type.Object(
  {
    decision: Type.Enum(['approve', 'reject'], { type: 'string' }),
    actor: Type.Object(
      {
        kind: Type.Enum(['key', 'member'], { type: 'string' }),
        id: Type.String({ description: 'The id of the key (`key_…`) or member (`mem_…`).' }),
        name: Type.String({
          description: 'The name of the key or member at the time of the decision.',
        }),
      },
      { description: 'The key or member that decided.' },
    ),
    comment: nullable(
      Type.String({ description: 'The reason for the decision, if one was given.' }),
    ),
    maxAmount: nullable(sumOf('The highest approved amount', 'Null if not approved.')),
    decidedAt: timeWhen('When the request was decided'),
  },
  { title: 'ApprovalDecision' },
)

const APPROVAL_VARIANTS: readonly Variant[] = [
  {
    title: 'GrantedApproval',
    description: 'A person approved the spend.',
    fields: {
      status: {
        title: 'GrantedApprovalStatus',
        values: ['approved', 'used'],
        description:
          '`approved`: the spend may be made once. `used`: the approval has been used for a spend.',
      },
      permit: PRESENT,
    },
  },
  {
    title: 'OpenOrEndedApproval',
    description: 'The request waits for a person, or ended without a spend.',
    fields: {
      status: {
        title: 'OpenOrEndedApprovalStatus',
        values: ['pending', 'rejected', 'expired'],
        description:
          '`pending`: a person must decide. `rejected`: a person rejected the spend. `expired`: the time to decide, or to use the approval, has passed.',
      },
    },
  },
]

export const Approval = Type.Object(
  {
    id: ApprovalId,
    status: ApprovalStatus,
    agentId: AgentId,
    agentName: nullable(Type.String({ description: 'The name of the agent. Null if deleted.' })),
    mandateId: publicId('mnd', 'the mandate'),
    path: Type.Enum([...PATH_NAMES], { type: 'string' }),
    vendor: VendorHost,
    category: SpendCategory,
    amount: sumOf('The requested amount'),
    currency: Type.String({ description: 'The currency of the amounts.' }),
    payee: nullable(
      Type.String({
        description: 'The blockchain address to be paid. Null except for x402 payments.',
      }),
    ),
    cardId: nullable(publicId('card', 'the card')),
    reference: SpendReference,
    reason: nullable(
      Type.String({ description: 'Why the agent spends. Null if it was not sent.' }),
    ),
    metadata: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'The key-value data of the spend. Null if there is none.',
      }),
    ),
    rules: Type.Array(AskingRule, {
      description:
        'The rules that require the approval, with their values. Empty once retention has removed the details.',
    }),
    history: Type.Object(
      {
        count: Type.Integer({ description: 'Number of spends.' }),
        amount: sumOf('The total of these spends'),
        lastAt: nullable(timeWhen('When the last of them was made')),
      },
      {
        description: `The agent's earlier spends at this vendor, among its last ${HISTORY_MAX} transactions. In a list, among its last ${LISTED_HISTORY_MAX}, or fewer if the page has more than 50 agents (${listedHistoryOf(200)} with 200).`,
      },
    ),
    remainingBudget: Type.Number({
      description: 'The remaining budget now, in units of the currency.',
    }),
    alike: Type.Integer({
      description: 'How many spends have requested this approval, including the first one.',
    }),
    requestedBy: Type.Union([Requester, Type.Null()], {
      description:
        'The key, member or card issuer that sent the spend first. Null if it was not recorded. An agent-bound key sees only itself, and null for other senders.',
    }),
    mayDecide: Type.Boolean({
      description:
        'Whether you may decide the request now. A large amount may also need a recent password.',
    }),
    mayNotDecideReason: nullable(
      Type.Enum([...MAY_NOT_DECIDE_REASONS], {
        type: 'string',
        description:
          'The code of the problem that a decision of yours would get. Null if you may decide.',
      }),
    ),
    transactionId: publicId('txn', 'the rejected spend that opened the request'),
    permit: nullable(
      Type.Object(
        {
          maxAmount: sumOf('The highest amount that may be spent'),
          expiresAt: timeWhen('Until when the approval can be used'),
          usedAt: nullable(timeWhen('When it was used')),
          transactionId: nullable(publicId('txn', 'the spend that used the approval')),
        },
        {
          title: 'Permit',
          description: 'The permission to spend once. Null if the request is not approved.',
        },
      ),
    ),
    decisions: Type.Array(ApprovalDecision, {
      description: 'The decision on the request. Empty while it is pending.',
    }),
    url: nullable(
      Type.String({
        description:
          "The page on which a person decides. Null if the gateway's public URL is not configured.",
      }),
    ),
    expiresAt: timeWhen('When the request, or the approval, expires'),
    createdAt: timeWhen('When the request was opened'),
  },
  {
    title: 'Approval',
    description: "A request for a person's approval, and its outcome.",
    examples: [APPROVAL_EXAMPLE],
    [VARIANTS]: APPROVAL_VARIANTS,
  },
)

/** The approval as the viewer may see it. An agent-bound key sees only the rules of its own mandate. */
export function toApprovalShape(
  approval: CoreApproval,
  context: ApprovalContext,
  viewer: Pick<Principal, 'agentIds' | 'id'>,
  now: Instant,
): Static<typeof Approval> {
  const { spend } = context
  const isBound = viewer.agentIds !== null
  const { spent } = context
  return {
    id: toPublicId('apr', approval.id),
    status: approvalStatusAt(approval, now),
    agentId: approval.agentId,
    agentName: context.agentName ?? null,
    mandateId: toPublicId('mnd', approval.mandateId),
    path: approval.path,
    vendor: approval.vendor,
    category: approval.category,
    amount: toUnits(approval.amount),
    currency: approval.currency,
    payee: approval.payee,
    cardId: approval.cardId === null ? null : toPublicId('card', approval.cardId),
    reference: spend?.reference ?? null,
    reason: spend?.reason ?? null,
    metadata: spend?.metadata ?? null,
    rules: rulesOf(approval, spend, isBound),
    history: {
      count: Number(spent?.count ?? 0n),
      amount: toUnits(spent?.amount ?? 0n),
      lastAt: toTimestamp(spent?.lastAt ?? null),
    },
    remainingBudget: toUnits(isBound ? context.ownRemaining : context.remaining),
    alike: approval.asked,
    requestedBy: requesterFor(viewer, context.requester),
    mayDecide: context.mayNotDecide === null,
    mayNotDecideReason: context.mayNotDecide,
    transactionId: toPublicId('txn', approval.transactionId),
    permit: permitOf(approval),
    decisions: context.decisions.map((said) => ({
      decision: said.decision,
      actor: {
        kind: said.actorKind,
        id: actorText({ kind: said.actorKind, id: said.actorId }),
        name: said.actorName,
      },
      comment: said.comment,
      maxAmount: said.maxAmount === null ? null : toUnits(said.maxAmount),
      decidedAt: toTimestamp(said.decidedAt),
    })),
    url: context.url,
    expiresAt: toTimestamp(approval.expiresAt),
    createdAt: toTimestamp(approval.createdAt),
  }
}

function permitOf(approval: CoreApproval): Static<typeof Approval>['permit'] {
  const { maxAmount, expiresAt, usedAt, usedBy } = approval
  if (maxAmount === null) return null
  return {
    maxAmount: toUnits(maxAmount),
    expiresAt: toTimestamp(expiresAt),
    usedAt: toTimestamp(usedAt),
    transactionId: usedBy === null ? null : toPublicId('txn', usedBy),
  }
}

function rulesOf(
  { amount }: CoreApproval,
  spend: AskingSpend | undefined,
  isBound: boolean,
): Static<typeof AskingRule>[] {
  const whole = spend?.details ?? {}
  const shown = { details: whole, remainingBudget: 0, amount: toUnits(amount), flags: [] }
  const details = isBound ? ownView(shown).details : whole
  if (!hasRules(details)) return []
  return details.rules
    .filter(({ outcome }) => outcome === 'escalate')
    .map(({ outcome: _, ...rule }) => rule)
}

function hasRules(details: object): details is { readonly rules: readonly Finding[] } {
  return 'rules' in details && Array.isArray(details.rules)
}
