import type { Policy } from '../core/mandates/policy.ts'
import type { Warning } from '../core/rules/warnings.ts'
import { findLongerPast, learnPastVendors } from '../storage/decisions/past.ts'
import type { Tx } from '../storage/engine/database.ts'
import { PAST_ROWS } from './past-rows.ts'

/** Even among many agents, so many transactions of each are looked at. */
const ROWS_PER_AGENT_MIN = 100

/**
 * Lets the rules about vendors know what the agents paid before, when such a rule comes to govern
 * them. The caller has locked a mandate that all their spends draw on.
 *
 * Only the newest transactions of each agent are looked at, so that nobody waits long. A vendor that
 * was paid only before them counts as new, which is the strict side of `new_vendor`; the answer warns
 * of it.
 */
export async function learnVendors(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
  policies: readonly Policy[],
): Promise<Warning[]> {
  const most = Math.max(ROWS_PER_AGENT_MIN, Math.floor(PAST_ROWS.atOnce / agentIds.length))
  const rows = Math.min(PAST_ROWS.atOnce, most)
  tx.send(learnPastVendors(organizationId, agentIds, rows))
  if (!(await findLongerPast(tx, organizationId, agentIds, rows))) return []
  const rules = policies.flatMap((policy) => policy.rules)
  const message = `Only the newest ${rows} transactions of an agent were looked at: a vendor that it paid only before them counts as new.`
  const ruleIds = rules.filter(({ judge }) => judge.needsVendorHistory).map(({ id }) => id)
  return [{ code: 'vendor_history_incomplete', message, ruleIds }]
}
