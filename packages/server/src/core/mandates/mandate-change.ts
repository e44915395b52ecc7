import { type FieldError, invalidFields, Problem } from '../../base/errors.ts'
import { type Micros, toUnits } from '../money.ts'
import { type Instant, toIso } from '../time/instant.ts'
import {
  budgetAt,
  type Mandate,
  type MandateStatus,
  type MandateTerms,
  statusAt,
} from './mandate.ts'
import { narrowingErrors } from './narrowing.ts'

/** A mandate and at most four ancestors. */
const DEPTH_MAX = 5

/**
 * The fields that may change while the mandate is active. Changing the others would break the
 * original agreement.
 */
const CHANGEABLE_WHILE_ACTIVE: readonly string[] = [
  'name',
  'rules',
  'validUntil',
  'warningPercents',
  'discloseLimits',
]

/** Refuses terms that make no sense by themselves. The rules were inspected before. */
export function checkTerms(terms: MandateTerms, now: Instant): void {
  const errors: FieldError[] = []
  const { validFrom, validUntil } = terms
  if (validUntil !== null && validUntil <= now) {
    errors.push({ path: '/validUntil', code: 'in_the_past', message: 'must be in the future' })
  }
  if (validFrom !== null && validUntil !== null && validFrom >= validUntil) {
    errors.push({ path: '/validFrom', code: 'range', message: 'must be before validUntil' })
  }
  if (errors.length > 0) throw invalidFields(errors)
}

/**
 * Refuses a child mandate that is wider than one of its ancestors. The nearest ancestor comes first.
 * For a change, `before` holds the terms before it; only fields that the change touches are checked
 * (ADR 6).
 */
export function checkPlace(
  child: MandateTerms & { readonly agentId: string },
  ancestors: readonly Mandate[],
  before?: MandateTerms,
): void {
  if (ancestors.length === 0) return
  if (ancestors.length >= DEPTH_MAX) {
    throw invalidFields([
      {
        path: '/parentMandateId',
        code: 'too_deep',
        message: `is already at the lowest level: mandates nest at most ${DEPTH_MAX} levels deep`,
      },
    ])
  }
  if (ancestors.some((mandate) => mandate.agentId === child.agentId)) {
    throw invalidFields([
      {
        path: '/agentId',
        code: 'same_agent',
        message:
          'already has a parent mandate of this one; a child mandate must be for a different agent',
      },
    ])
  }
  // A rule that the parent does not have may belong to a higher ancestor, and is binding as well.
  const errors = ancestors.flatMap((ancestor) => narrowingErrors(child, ancestor, before))
  if (errors.length === 0) return
  throw new Problem(
    'mandate_wider_than_parent',
    `A child mandate cannot be wider than its parent: ${errors[0]?.path} ${errors[0]?.message}.`,
    { errors },
  )
}

export function checkActivation(mandate: Mandate, parent: Mandate | undefined, now: Instant): void {
  requireStatus(mandate, 'draft', now, 'activate')
  checkDraftEnd(mandate, now)
  if (parent) checkParentOfActive(mandate, parent, now)
}

/** Refuses to activate a draft that would expire at once. */
export function checkDraftEnd({ validUntil }: MandateTerms, now: Instant): void {
  if (validUntil === null || validUntil > now) return
  throw new Problem(
    'mandate_state',
    `The draft's validUntil (${toIso(validUntil)}) is in the past. Change it, then activate the mandate.`,
    { extra: { mandateStatus: 'draft', allowed: ['update', 'delete'] } },
  )
}

function checkParentOfActive({ currency }: Mandate, parent: Mandate, now: Instant): void {
  const status = statusAt(parent, now)
  if (status !== 'active') {
    throw new Problem(
      'parent_not_active',
      `The parent mandate is ${status}. A child mandate can be activated only while its parent is active.`,
      { extra: { parentStatus: status } },
    )
  }
  // While both were drafts, the parent's currency could change. From activation on neither can, so the
  // same amount means the same money along the whole line.
  if (currency === parent.currency) return
  throw new Problem(
    'mandate_state',
    `The draft is in ${currency}, and its parent in ${parent.currency}. Change the draft's currency, then activate the mandate.`,
    { extra: { mandateStatus: 'draft', allowed: ['update', 'delete'] } },
  )
}

/** A spend can be simulated under a draft, as if it were active, and under an active mandate. */
export function checkTrial(mandate: Mandate, now: Instant): void {
  const status = statusAt(mandate, now)
  if (status !== 'draft' && status !== 'active') throw wrongState(status, 'simulate a spend under')
}

export function checkRevocation(mandate: Mandate, now: Instant): void {
  requireStatus(mandate, 'active', now, 'revoke')
}

/** Only an active mandate can get a next version. */
export function checkNextVersion(mandate: Mandate, now: Instant): void {
  requireStatus(mandate, 'active', now, 'draft or activate a next version of')
}

/** The fields that a draft of a next version may change: those of an active mandate, and the budget. */
const CHANGEABLE_IN_NEXT = [...CHANGEABLE_WHILE_ACTIVE, 'budgetTotal']

function checkNextEditable(fields: readonly string[]): void {
  const fixed = fields.filter((field) => !CHANGEABLE_IN_NEXT.includes(field))
  if (fixed.length === 0) return
  throw new Problem(
    'mandate_state',
    `This is a draft of the next version of an active mandate, so ${fixed.join(', ')} cannot be changed; only ${CHANGEABLE_IN_NEXT.join(', ')} can.`,
    { extra: { mandateStatus: 'draft', changeable: CHANGEABLE_IN_NEXT } },
  )
}

/** The status decides which fields a change may name. */
export function checkEditable(mandate: Mandate, fields: readonly string[], now: Instant): void {
  const status = statusAt(mandate, now)
  if (status === 'draft') {
    if (mandate.draftOf !== null) checkNextEditable(fields)
    return
  }
  if (status !== 'active') throw wrongState(status, 'update')
  const frozen = fields.filter((field) => !CHANGEABLE_WHILE_ACTIVE.includes(field))
  if (frozen.length === 0) return
  const budget = frozen.includes('budgetTotal')
    ? ' The budget is changed with PATCH /mandates/:id/budget.'
    : ''
  throw new Problem(
    'mandate_state',
    `The mandate is active, so ${frozen.join(', ')} can no longer be changed; only ${CHANGEABLE_WHILE_ACTIVE.join(', ')} can.${budget}`,
    { extra: { mandateStatus: status, changeable: CHANGEABLE_WHILE_ACTIVE } },
  )
}

/**
 * A budget may be overdrawn, because money can move without a request. Then it can always be raised,
 * even to less than the spent amount: the organization may want to cover only a part of it.
 */
export function checkBudgetChange(mandate: Mandate, budgetTotal: Micros, now: Instant): void {
  const status = statusAt(mandate, now)
  if (status !== 'active') throw wrongState(status, 'change the budget of')
  const { spent } = budgetAt(mandate, now)
  if (budgetTotal >= spent || budgetTotal >= mandate.budgetTotal) return
  const isOverdrawn = spent > mandate.budgetTotal
  const reason = isOverdrawn
    ? 'are already spent, more than the budget; you can only raise it'
    : 'of the budget are already spent; you cannot set it below that amount'
  throw new Problem('budget_below_spent', `${toUnits(spent)} ${mandate.currency} ${reason}.`, {
    extra: { budgetSpent: toUnits(spent) },
  })
}

/** Drafts are deleted, ended mandates archived; an active one has to be revoked first. */
export function endOf(mandate: Mandate, now: Instant): 'delete' | 'archive' {
  const status = statusAt(mandate, now)
  if (status === 'active') throw wrongState(status, 'delete')
  return status === 'draft' ? 'delete' : 'archive'
}

const ALLOWED: Readonly<Record<MandateStatus, readonly string[]>> = {
  draft: ['update', 'activate', 'delete'],
  active: ['update', 'change budget', 'revoke'],
  expired: ['delete'],
  revoked: ['delete'],
}

function requireStatus(
  mandate: Mandate,
  required: MandateStatus,
  now: Instant,
  action: string,
): void {
  const status = statusAt(mandate, now)
  if (status !== required) throw wrongState(status, action)
}

function wrongState(status: MandateStatus, action: string): Problem {
  const allowed = ALLOWED[status]
  return new Problem(
    'mandate_state',
    `You cannot ${action} the mandate: it is ${status}. Allowed now: ${allowed.join(', ')}.`,
    { extra: { mandateStatus: status, allowed } },
  )
}
