import { BOUNDING_TYPES, type ExposedMandate } from '../../core/analytics/exposure.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/**
 * Active mandates, only with the rules that bound a sum: lists of vendors can be long. `agentIds` are
 * those of a bound key; null means all.
 */
export function listExposedMandates(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[] | null,
  limit: number,
): Promise<ExposedMandate[]> {
  return db.query<ExposedMandate>({
    name: 'list-exposed-mandates',
    text: `
      select m.id, m.agent_id as "agentId", m.parent_id as "parentMandateId", m.status, v.currency,
             v.timezone, m.valid_from as "validFrom", m.valid_until as "validUntil",
             v.budget_period as "budgetPeriod", m.budget_total as "budgetTotal",
             m.budget_spent as "budgetSpent", m.budget_held as "budgetHeld",
             m.spent_period_start as "spentPeriodStart",
             coalesce((select jsonb_agg(rule - 'expr') from jsonb_array_elements(v.rules) as rule
                       where rule->>'type' = any($3::text[])), '[]'::jsonb) as rules
      from mandates m join mandate_versions v
        on v.organization_id = $1 and v.mandate_id = m.id and v.version = m.version
      where m.organization_id = $1 and m.status = 'active'
        and ($2::uuid[] is null or m.agent_id = any($2::uuid[]))
      order by m.id limit $4`,
    values: [
      organizationId,
      agentIds === null ? null : plainArray(agentIds),
      plainArray(BOUNDING_TYPES),
      limit,
    ],
  })
}
