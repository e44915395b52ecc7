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

/** Even among many agents, so many transactions of each are looked at. */
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
 * Lets the rules about vendors know what the agents paid before, when such a rule comes to govern
 * them.
 *
 * Only the newest transactions of each agent are looked at, so that nobody waits long. The rest is
 * looked at by and by, and until then the rules are strict for vendors that they do not know; the
 * answer warns of it.
 */
export async function learnVendors(
  tx: Tx,
  { organizationId, mandateId, agentIds, policies, at }: Learning,
): Promise<Warning[]> {
  const most = Math.max(ROWS_PER_AGENT_MIN, Math.floor(PAST_ROWS.atOnce / agentIds.length))
  const rows = Math.min(PAST_ROWS.atOnce, most)
  const cursors = agentIds.map(fromNewest)
  // What is settled under an earlier mandate is waited for, and all that comes later is told of the rules.
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
 * Looks at some more of an agent's past, and says whether that was all. With the last of it the rules
 * are as ever again.
 *
 * What is decided and changed under the mandate meanwhile waits for the lock, and is noted by itself.
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
