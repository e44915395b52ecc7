import type { Policy } from '../../core/mandates/policy.ts'
import type { Warning } from '../../core/rules/warnings.ts'
import type { Instant } from '../../core/time/instant.ts'
import { lockOneMandate } from '../../storage/decisions/past.ts'
import {
  findRest,
  fromNewest,
  insertVendorPasts,
  learnPastVendors,
  lockVendorPast,
  markUnknownVendors,
  moveVendorPast,
  removeVendorPast,
  unmarkUnknownVendors,
  type VendorPast,
} from '../../storage/decisions/past-vendors.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { lockPastsOf } from '../../storage/mandate-locks.ts'
import { PAST_ROWS } from './past-rows.ts'

/** Even with many agents, at least this many transactions of each are read. */
const ROWS_PER_AGENT_MIN = 100

export const HISTORY_INCOMPLETE = 'vendor_history_incomplete' as const

interface Learning {
  readonly organizationId: string
  /** A mandate that all spends of the agents draw on. The caller has locked it. */
  readonly mandateId: string
  readonly agentIds: readonly string[]
  readonly policies: readonly Policy[]
  readonly at: Instant
}

/**
 * Teaches rules about vendors which vendors the agents paid before, when such a rule comes to
 * govern them.
 *
 * Only the newest transactions of each agent are read now, so that the request is quick. The past
 * counter reads the rest in steps. Until it has finished, the rules are strict for unknown vendors,
 * and the answer warns about that.
 */
export async function learnVendors(
  tx: Tx,
  { organizationId, mandateId, agentIds, policies, at }: Learning,
): Promise<Warning[]> {
  const most = Math.max(ROWS_PER_AGENT_MIN, Math.floor(PAST_ROWS.atOnce / agentIds.length))
  const rows = Math.min(PAST_ROWS.atOnce, most)
  const cursors = agentIds.map(fromNewest)
  // This waits for settlements under an earlier mandate; all later ones already see the new rules.
  tx.send(lockPastsOf(organizationId, agentIds))
  tx.send(learnPastVendors(organizationId, cursors, rows, at))
  const rest = await findRest(tx, organizationId, cursors, rows)
  if (rest.length === 0) return []
  tx.send(insertVendorPasts(organizationId, mandateId, rest, at))
  tx.send(markUnknownVendors(organizationId, rest, at))
  const rules = policies.flatMap((policy) => policy.rules)
  const message = `The gateway has read only the newest ${rows} transactions of an agent. Until it has read the rest, these rules fail for every vendor that the agent did not pay in them.`
  const ruleIds = rules.filter(({ judge }) => judge.needsVendorHistory).map(({ id }) => id)
  return [{ code: HISTORY_INCOMPLETE, message, ruleIds }]
}

/**
 * Reads the next part of an agent's past. Returns whether that was all. After the last part, the
 * rules are no longer strict.
 *
 * Decisions and changes under the mandate wait for the lock meanwhile, and record their vendors
 * themselves.
 */
export async function learnFurther(
  tx: Tx,
  organizationId: string,
  place: Pick<VendorPast, 'agentId' | 'mandateId'>,
): Promise<boolean> {
  const [, past] = await Promise.all([
    lockOneMandate(tx, organizationId, place.mandateId),
    lockVendorPast(tx, organizationId, place),
  ])
  if (!past) return true
  tx.send(learnPastVendors(organizationId, [past], PAST_ROWS.perStep, past.startedAt))
  const [rest] = await findRest(tx, organizationId, [past], PAST_ROWS.perStep)
  if (rest) {
    tx.send(moveVendorPast(organizationId, past, rest.nextId))
    return false
  }
  tx.send(removeVendorPast(organizationId, past))
  tx.send(unmarkUnknownVendors(organizationId, past.agentId))
  return true
}
