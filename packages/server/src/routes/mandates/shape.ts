import { type Static, Type } from 'typebox'
import { toPublicId } from '../../core/id.ts'
import { budgetAt, type Mandate as CoreMandate, statusAt } from '../../core/mandates/mandate.ts'
import { toUnits } from '../../core/money.ts'
import { Rule, RuleInput } from '../../core/rules/rule-set.ts'
import type { Instant } from '../../core/time/instant.ts'
import { EXAMPLE_AGENT_ID } from '../../http/document/examples.ts'
import {
  ActorName,
  ActorsOwnName,
  AgentId,
  Name,
  nullable,
  publicId,
  sumOf,
  Timestamp,
  timeWhen,
  toTimestamp,
  Warning,
} from '../../http/document/schemas.ts'
import { ExpectedUpdatedAt, ExpectedVersion, toETag } from '../../http/expected-state.ts'
import type { ShownMandate } from '../../storage/mandates.ts'
import { reasonOf } from '../reason.ts'
import { MANDATE_EXAMPLE } from './examples.ts'
import {
  BudgetPeriod,
  BudgetTotal,
  Currency,
  DiscloseLimits,
  TimeZone,
  ValidFrom,
  ValidUntil,
  WarningPercents,
} from './term-schemas.ts'

export const MandateId = publicId('mnd', 'the mandate')
export const MandateStatus = Type.Enum(['draft', 'active', 'expired', 'revoked'], {
  type: 'string',
})
export const Mandate = Type.Object(
  {
    id: MandateId,
    agentId: AgentId,
    agentName: Type.Optional(
      nullable(
        Type.String({
          description:
            'The current or last name of the agent. Only in responses to GET /mandates and GET /mandates/:id.',
        }),
      ),
    ),
    name: Name,
    status: MandateStatus,
    version: Type.Integer({
      description:
        'The version of the mandate. Every change of an active mandate raises it by one.',
    }),
    draftOf: Type.Union([MandateId, Type.Null()], {
      description:
        'For a draft of a next version: the id of the active mandate that it changes. Null otherwise.',
    }),
    draftOfVersion: nullable(
      Type.Integer({ description: 'The version of `draftOf` that the draft was made from.' }),
    ),
    currency: Currency,
    timezone: TimeZone,
    validFrom: ValidFrom,
    validUntil: ValidUntil,
    parentMandateId: Type.Union([MandateId, Type.Null()], {
      description: 'The id of the parent mandate. Null if it has none.',
    }),
    budgetTotal: BudgetTotal,
    budgetSpent: Type.Number({
      description:
        'The amount used in the current period, including holds, in units of the currency.',
    }),
    budgetHeld: Type.Number({
      description:
        'The part of `budgetSpent` that is held and not yet settled, in units of the currency.',
    }),
    remainingBudget: sumOf('The budget that remains in the current period'),
    percentUsed: Type.Number({
      description: 'The used part of the budget in percent, rounded down.',
    }),
    exhausted: Type.Boolean({ description: 'Whether the whole budget is used.' }),
    budgetPeriod: BudgetPeriod,
    periodStart: nullable(timeWhen('When the current budget period began')),
    periodEnd: nullable(timeWhen('When the budget resets')),
    rules: Type.Array(Rule, { description: 'The rules that every spend must pass.' }),
    warningPercents: WarningPercents,
    discloseLimits: DiscloseLimits,
    createdAt: Timestamp,
    activatedAt: nullable(timeWhen('When the mandate was activated')),
    revokedAt: nullable(timeWhen('When the mandate was revoked')),
    archivedAt: nullable(timeWhen('When the mandate was archived')),
    updatedAt: Timestamp,
    updatedBy: ActorName,
    updatedByName: ActorsOwnName,
    warnings: Type.Optional(
      Type.Array(Warning, {
        description:
          "Warnings about the mandate's rules. Only in responses to a creation, a change or an activation.",
      }),
    ),
  },
  { title: 'Mandate', examples: [MANDATE_EXAMPLE] },
)

const changeable = {
  name: Name,
  currency: Currency,
  timezone: TimeZone,
  validFrom: ValidFrom,
  validUntil: ValidUntil,
  budgetPeriod: BudgetPeriod,
  rules: Type.Array(RuleInput, {
    maxItems: 64,
    description:
      'The rules that every spend must pass, at most 64. Without rules, only the budget limits the spending.',
  }),
  warningPercents: WarningPercents,
  discloseLimits: DiscloseLimits,
}

export const DraftOf = {
  ...MandateId,
  description:
    'The id of an active mandate. Makes this a draft of its next version, at most 10 per mandate. Only `name`, `rules`, `validUntil`, `budgetTotal`, `warningPercents` and `discloseLimits` are allowed with it; omitted ones keep the values of the active mandate. Activating the draft creates the next version and removes the draft.',
}

export const MandateInput = Type.Object(
  {
    agentId: Type.Optional({
      ...AgentId,
      description: 'The id of the agent. Required unless `draftOf` is set.',
    }),
    budgetTotal: Type.Optional({
      ...BudgetTotal,
      description: `${BudgetTotal.description} Required unless \`draftOf\` is set.`,
    }),
    draftOf: Type.Optional(DraftOf),
    parentMandateId: Type.Optional(
      Type.Union([MandateId, Type.Null()], {
        description:
          'The id of the parent mandate. Makes this mandate a child mandate, which can only be stricter than its parent.',
      }),
    ),
    ...Type.Partial(Type.Object(changeable)).properties,
  },
  {
    additionalProperties: false,
    // A draft of a next version takes both from its mandate.
    if: { required: ['draftOf'] },
    else: { required: ['agentId', 'budgetTotal'] },
    title: 'MandateInput',
    examples: [
      {
        agentId: EXAMPLE_AGENT_ID,
        budgetTotal: 100,
        budgetPeriod: 'monthly',
        rules: [
          { type: 'amount', max: 25 },
          { type: 'vendors', allow: ['api.openai.com', '*.example.com'] },
        ],
      },
    ],
  },
)

/** The state of a mandate that a change may expect. A draft has one version, so it needs the time. */
export const ExpectedMandate = {
  expectedVersion: ExpectedVersion,
  expectedUpdatedAt: ExpectedUpdatedAt,
}

export const MandateChange = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...changeable, budgetTotal: BudgetTotal })).properties,
    ...ExpectedMandate,
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'MandateChange',
    examples: [{ rules: [{ type: 'amount', max: 40 }] }],
  },
)

export const ActivationInput = Type.Object(
  {
    replace: Type.Optional(
      Type.Boolean({
        description:
          "Whether to revoke the agent's active mandate and its child mandates in the same step. Without it, the response is 409 `mandate_conflict` if the agent has an active mandate. Default: false.",
      }),
    ),
    ...ExpectedMandate,
  },
  { additionalProperties: false, title: 'ActivationInput', examples: [{ replace: true }] },
)

export const RevocationInput = Type.Object(
  { reason: reasonOf('revoking the mandate') },
  {
    additionalProperties: false,
    title: 'MandateRevocationInput',
    examples: [{ reason: 'The project has ended.' }],
  },
)

/** The mandate with its current status and budget, which depend on the time. */
export function toMandateShape(mandate: CoreMandate, now: Instant): Static<typeof Mandate> {
  const budget = budgetAt(mandate, now)
  return {
    id: toPublicId('mnd', mandate.id),
    agentId: mandate.agentId,
    name: mandate.name,
    status: statusAt(mandate, now),
    version: mandate.version,
    draftOf: mandate.draftOf === null ? null : toPublicId('mnd', mandate.draftOf),
    draftOfVersion: mandate.draftOfVersion,
    currency: mandate.currency,
    timezone: mandate.timezone,
    validFrom: toTimestamp(mandate.validFrom),
    validUntil: toTimestamp(mandate.validUntil),
    parentMandateId:
      mandate.parentMandateId === null ? null : toPublicId('mnd', mandate.parentMandateId),
    budgetTotal: toUnits(mandate.budgetTotal),
    budgetSpent: toUnits(budget.spent),
    budgetHeld: toUnits(budget.held),
    remainingBudget: toUnits(budget.remaining),
    percentUsed: budget.percentUsed,
    exhausted: budget.exhausted,
    budgetPeriod: mandate.budgetPeriod,
    periodStart: toTimestamp(budget.periodStart),
    periodEnd: toTimestamp(budget.periodEnd),
    rules: [...mandate.rules],
    warningPercents: [...mandate.warningPercents],
    discloseLimits: mandate.discloseLimits,
    createdAt: toTimestamp(mandate.createdAt),
    activatedAt: toTimestamp(mandate.activatedAt),
    revokedAt: toTimestamp(mandate.revokedAt),
    archivedAt: toTimestamp(mandate.archivedAt),
    updatedAt: toTimestamp(mandate.updatedAt),
    updatedBy: mandate.updatedBy,
  }
}

/** Every change of an active mandate raises its version. A draft is rewritten in its only version. */
export function mandateETag({ status, version, updatedAt }: CoreMandate): string {
  return status === 'draft' ? toETag(updatedAt, 'updatedAt') : toETag(version, 'version')
}

/** The mandate with the fields that only reads show. */
export function toShownMandate(mandate: ShownMandate, now: Instant): Static<typeof Mandate> {
  const { id, agentId, ...rest } = toMandateShape(mandate, now)
  return { id, agentId, agentName: mandate.agentName, ...rest }
}

/**
 * The terms that a person or key has set: a change record has these when a mandate is created and when
 * it is deleted.
 */
export function toWrittenShape(mandate: CoreMandate, now: Instant) {
  const shape = toMandateShape(mandate, now)
  return {
    agentId: shape.agentId,
    parentMandateId: shape.parentMandateId,
    ...(shape.draftOf !== null && { draftOf: shape.draftOf }),
    status: shape.status,
    name: shape.name,
    currency: shape.currency,
    timezone: shape.timezone,
    validFrom: shape.validFrom,
    validUntil: shape.validUntil,
    budgetTotal: shape.budgetTotal,
    budgetPeriod: shape.budgetPeriod,
    rules: shape.rules,
    warningPercents: shape.warningPercents,
    discloseLimits: shape.discloseLimits,
  }
}
