import { isSameJson } from '@purser/audit'
import type { FastifyRequest } from 'fastify'
import { toPublicId } from '../../core/id.ts'
import { type Mandate as CoreMandate, changedTerms } from '../../core/mandates/mandate.ts'
import {
  checkBudgetChange,
  checkDraftEnd,
  checkNextVersion,
  checkPlace,
} from '../../core/mandates/mandate-change.ts'
import { widerThanAbove } from '../../core/mandates/narrowing.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { namesVendorHistory } from '../../core/mandates/policy.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { ExpectedState } from '../../http/expected-state.ts'
import type { RecordChange } from '../../http/record-change.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { deleteDraft } from '../../storage/mandate-changes.ts'
import { lockForVendorRules, lockMandate } from '../../storage/mandate-locks.ts'
import { requireExpectedMandate } from '../require-expected.ts'
import { toWrittenShape } from './shape.ts'
import { storeBudget } from './store-mandate-terms.ts'
import { beforeAndAfter, withWarnings } from './terms.ts'

interface NextVersion extends Pick<FastifyRequest, 'organizationId' | 'principal'> {
  /** The caller has locked the draft and the agent's active mandate. */
  readonly draft: CoreMandate
  /** The mandate that the draft changes. */
  readonly baseId: string
  /** The parent mandates of both. */
  readonly above: readonly CoreMandate[]
  readonly expected: readonly ExpectedState[]
  readonly at: Instant
}

/**
 * Adds the draft as the next version of its mandate, and removes the draft. The mandate must have the
 * version that the draft was made from, or the one that the caller expects: otherwise the draft would
 * undo changes that its author has not seen.
 */
export async function activateNextVersion(
  tx: Tx,
  record: RecordChange,
  { organizationId, principal, draft, baseId, above, expected, at }: NextVersion,
) {
  const lock = namesVendorHistory(draft.rules) ? lockForVendorRules : lockMandate
  const base = await lock(tx, organizationId, baseId)
  if (!base) throw mandateNotFound(toPublicId('mnd', baseId))
  checkNextVersion(base, at)
  await requireStates(tx, organizationId, expected, draft, base)
  const next = withTermsOf(draft, base)
  checkDraftEnd(draft, at)
  checkBudgetChange(base, next.budgetTotal, at)
  checkPlace(next, above, base)
  await deleteDraft(tx, organizationId, draft.id)
  const draftId = toPublicId('mnd', draft.id)
  const before = toWrittenShape(draft, at)
  record({ operation: 'mandate.deleted', subjectId: draftId, at, before, after: null })
  const terms = changedTerms(base, next)
  if (terms.length === 0) return withWarnings(base, at, widerThanAbove(base, above))
  const told = beforeAndAfter(terms)
  record({
    operation: 'mandate.updated',
    subjectId: toPublicId('mnd', base.id),
    at,
    before: told.before,
    after: { ...told.after, activatedDraft: draftId },
  })
  return storeBudget(tx, { organizationId, changedBy: principal, at, above }, base, next)
}

/** A version is that of the mandate, a time that of the draft, which has one version only. */
async function requireStates(
  tx: Tx,
  organizationId: string,
  expected: readonly ExpectedState[],
  draft: CoreMandate,
  base: CoreMandate,
): Promise<void> {
  const times = expected.map(({ updatedAt }) => ({ version: undefined, updatedAt }))
  await requireExpectedMandate(tx, organizationId, times, draft)
  const named = expected.flatMap(({ version }) => version ?? [])
  const made = draft.draftOfVersion === null ? [] : [draft.draftOfVersion]
  const versions = named.length > 0 ? named : made
  const states = versions.map((version) => ({ version, updatedAt: undefined }))
  await requireExpectedMandate(tx, organizationId, states, base)
}

function withTermsOf(draft: CoreMandate, base: CoreMandate): CoreMandate {
  const { name, validUntil, budgetTotal, warningPercents, discloseLimits } = draft
  // The same list says that no rule is new, so that nothing has to be counted for it.
  const rules = isSameJson(base.rules, draft.rules) ? base.rules : draft.rules
  const terms = { name, validUntil, budgetTotal, warningPercents, discloseLimits, rules }
  return { ...base, ...terms }
}
