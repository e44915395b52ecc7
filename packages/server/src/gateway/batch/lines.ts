import type { MandateAccount } from '../../core/decision/account.ts'
import type { Policy } from '../../core/mandates/policy.ts'
import {
  findLastMandates,
  findNewestDrafts,
  type LockedMandate,
  lockMandatesAlso,
  lockMandatesOf,
} from '../../storage/decisions/locked-mandates.ts'
import type { SpenderRow } from '../../storage/decisions/read-accounts.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { toAccount } from '../account-rows.ts'
import type { Submission } from '../submission.ts'

/** The line of each agent that has one. */
export type Lines = ReadonlyMap<string, readonly MandateAccount[]>

export function lockMandates(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
  last: readonly { readonly id: string }[],
): Promise<LockedMandate[]> {
  if (last.length === 0) return lockMandatesOf(tx, organizationId, agentIds)
  const lastIds = last.map(({ id }) => id)
  return lockMandatesAlso(tx, organizationId, agentIds, lastIds)
}

/**
 * Returns the line of each agent. A mandate that was revoked while the batch waited for its lock no
 * longer has a line. A mandate whose parent was revoked keeps its line, and judging finds the
 * parent's status.
 */
export function linesOf(
  mandates: readonly LockedMandate[],
  last: readonly LastMandate[],
  policyOf: (mandate: LockedMandate) => Policy,
): Lines {
  const accounts = new Map(mandates.map((mandate) => [mandate.id, toAccount(mandate, policyOf)]))
  const lines = new Map<string, readonly MandateAccount[]>()
  for (const { id, agentId, ancestorIds, status } of mandates) {
    const isLast = last.some((mandate) => mandate.id === id) && !lines.has(agentId)
    if (status !== 'active' && !isLast) continue
    const line = [id, ...ancestorIds].flatMap((member) => accounts.get(member) ?? [])
    lines.set(agentId, line)
  }
  return lines
}

/**
 * Whether an agent lost its mandate while the batch waited for the lock. A replacement activates the
 * agent's next mandate in the same transaction, and only a new read can find it.
 */
export function hasLostMandate(
  mandates: readonly LockedMandate[],
  agentIds: readonly string[],
  lines: ReadonlyMap<string, unknown>,
): boolean {
  return mandates.some(
    ({ status, agentId }) =>
      status !== 'active' && !lines.has(agentId) && agentIds.includes(agentId),
  )
}

type LastMandate = Awaited<ReturnType<typeof findLastMandates>>[number]

/**
 * If the agent has no active mandate, money that moved without a decision is booked on the agent's
 * last mandate. Only such submissions need this extra query. It comes before the locks, so that all
 * of them are taken in one order.
 */
export function findLastOf(
  tx: Tx,
  organizationId: string,
  submissions: readonly Submission[],
): Promise<LastMandate[]> | LastMandate[] {
  const unasked = submissions.filter(({ isUnasked }) => isUnasked)
  if (unasked.length === 0) return []
  const agentIds = new Set(unasked.map(({ spend }) => spend.agentId))
  return findLastMandates(tx, organizationId, [...agentIds])
}

export function policiesOf(line: readonly MandateAccount[]): readonly Policy[] {
  return line.map(({ policy }) => policy)
}

/**
 * Returns the newest draft of each agent without a line. The decision names the draft, because
 * activating it is the missing step. This costs a round trip, but only in batches with an agent
 * without a mandate.
 */
export async function findDraftsOf(
  tx: Tx,
  organizationId: string,
  spenders: readonly SpenderRow[],
  lines: Lines,
): Promise<ReadonlyMap<string, string>> {
  const isGoverned = ({ agentId }: SpenderRow) => agentId === null || lines.has(agentId)
  if (spenders.every(isGoverned)) return NO_DRAFTS
  const idle = spenders.flatMap((row) => (isGoverned(row) ? [] : (row.agentId ?? [])))
  const drafts = await findNewestDrafts(tx, organizationId, idle)
  return new Map(drafts.map(({ agentId, id }) => [agentId, id]))
}

const NO_DRAFTS: ReadonlyMap<string, string> = new Map()
