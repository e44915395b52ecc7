import { hasScope } from '../core/api-key.ts'
import type { Approval } from '../core/approvals/approval.ts'
import { approvalStatusAt } from '../core/approvals/permit.ts'
import type { Principal } from '../core/principal.ts'
import type { Instant } from '../core/time/instant.ts'
import { readAnswerTerms } from '../storage/approvals/answer-terms.ts'
import type { Queryable } from '../storage/engine/database.ts'
import { readFourEyes } from './four-eyes.ts'
import { isOwnRequest, makersOf } from './own-requests.ts'

/** The problem codes that a decision can get because of its author or the state of the request. */
export const MAY_NOT_DECIDE_REASONS = [
  'agent_bound_key',
  'insufficient_scope',
  'approval_decided',
  'approval_own_request',
  'four_eyes_required',
] as const

export type MayNotDecideReason = (typeof MAY_NOT_DECIDE_REASONS)[number]

/**
 * Says whether the viewer may decide each request: null, or the problem that a decision would get. It
 * is read without locks, for a page that shows the requests. The decision itself checks again. A
 * missing password is no reason, because the viewer can enter it.
 */
export async function readMayDecide(
  db: Queryable,
  viewer: Principal,
  approvals: readonly Approval[],
  now: Instant,
): Promise<(approval: Approval) => MayNotDecideReason | null> {
  if (viewer.agentIds !== null) return () => 'agent_bound_key'
  if (!hasScope(viewer, 'approvals:write')) return () => 'insufficient_scope'
  const isPending = (approval: Approval) => approvalStatusAt(approval, now) === 'pending'
  const pending = approvals.filter(isPending)
  if (pending.length === 0) return () => 'approval_decided'
  const [{ requiresFourEyes }, makers] = await Promise.all([
    readAnswerTerms(db, viewer.organizationId),
    makersOf(db, viewer),
  ])
  const refuseOwn = requiresFourEyes ? await readFourEyes(db, viewer, pending) : undefined
  return (approval) => {
    if (!isPending(approval)) return 'approval_decided'
    if (refuseOwn?.(approval)) return 'four_eyes_required'
    return isOwnRequest(approval, makers) ? 'approval_own_request' : null
  }
}
