import type { Author } from '../core/actor.ts'
import type { Mandate } from '../core/mandates/mandate.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Tx } from './engine/database.ts'
import { storeVersion, toTimestamp } from './mandate-versions.ts'

/** `ancestors` are the mandate's ancestors, nearest first. */
export async function insertMandate(
  tx: Tx,
  organizationId: string,
  mandate: Mandate,
  ancestors: readonly Mandate[],
  changedBy: Author,
): Promise<void> {
  await tx.query({
    text: `
      insert into mandates (organization_id, id, agent_id, parent_id, ancestor_ids, status, version,
                            budget_total, valid_from, valid_until, created_at, updated_at,
                            updated_by, draft_of, draft_of_version)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14)`,
    values: [
      organizationId,
      mandate.id,
      mandate.agentId,
      mandate.parentMandateId,
      ancestors.map((ancestor) => ancestor.id),
      mandate.status,
      mandate.version,
      mandate.budgetTotal,
      toTimestamp(mandate.validFrom),
      toTimestamp(mandate.validUntil),
      toIso(mandate.createdAt),
      mandate.updatedBy,
      mandate.draftOf,
      mandate.draftOfVersion,
    ],
  })
  await storeVersion(tx, organizationId, mandate, changedBy)
}

/**
 * Stores the changed terms of a mandate that the caller has locked. Only decisions change the
 * budget figures, so they stay as they are unless their period is over. In that case `newPeriod` is
 * the start of the current period, by the clock of the decisions, and the figures begin at zero, as
 * the next decision would set them.
 */
export async function updateMandateTerms(
  tx: Tx,
  organizationId: string,
  mandate: Mandate,
  changedBy: Author,
  newPeriod: Instant | null,
): Promise<void> {
  await storeVersion(tx, organizationId, mandate, changedBy)
  await tx.query({
    text: `
      update mandates
      set version = $3, budget_total = $4, valid_from = $5, valid_until = $6, updated_at = $7,
          updated_by = $9,
          budget_spent = case when $8::timestamptz is null then budget_spent else 0 end,
          budget_held = case when $8::timestamptz is null then budget_held else 0 end,
          budget_overdrawn = case when $8::timestamptz is null then budget_overdrawn else 0 end,
          spent_period_start = coalesce($8::timestamptz, spent_period_start)
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      mandate.id,
      mandate.version,
      mandate.budgetTotal,
      toTimestamp(mandate.validFrom),
      toTimestamp(mandate.validUntil),
      toIso(mandate.updatedAt),
      toTimestamp(newPeriod),
      mandate.updatedBy,
    ],
  })
}

/**
 * Activates a draft. It first sets the agent's active mandates whose time is over to `expired`:
 * they already read as expired and must not block the new one. The index
 * `one_active_mandate_per_agent` refuses a second active mandate, also when two activations run at
 * once.
 */
export async function activateMandate(
  tx: Tx,
  organizationId: string,
  { id, agentId }: Pick<Mandate, 'id' | 'agentId'>,
  now: Instant,
  by: string,
): Promise<void> {
  await tx.query({
    text: `update mandates set status = 'expired', updated_at = $3
           where organization_id = $1 and agent_id = $2 and status = 'active' and valid_until <= $3`,
    values: [organizationId, agentId, toIso(now)],
  })
  await tx.query({
    text: `update mandates
           set status = 'active', activated_at = $3, updated_at = $3, updated_by = $4
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, toIso(now), by],
  })
}

/** Revokes the active ones of these mandates. The caller has locked them. */
export async function revokeMandates(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
  by: string,
): Promise<void> {
  await tx.query({
    text: `update mandates
           set status = 'revoked', revoked_at = $3, updated_at = $3, updated_by = $4
           where organization_id = $1 and id = any($2::uuid[]) and status = 'active'`,
    values: [organizationId, ids, toIso(now), by],
  })
}

export async function archiveMandate(
  tx: Tx,
  organizationId: string,
  id: string,
  now: Instant,
  by: string,
): Promise<void> {
  await tx.query({
    text: `update mandates
           set archived_at = coalesce(archived_at, $3), updated_at = $3, updated_by = $4
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, toIso(now), by],
  })
}

/**
 * Deletes a draft and its version. The database refuses while a child mandate names it as its
 * parent.
 */
export async function deleteDraft(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.query({
    text: `delete from mandates where organization_id = $1 and id = $2 and status = 'draft'`,
    values: [organizationId, id],
  })
}
