import { Problem } from '../../base/errors.ts'
import { type Lift, lifts, type Permit, refusalOf } from '../../core/approvals/permit.ts'
import { toPublicId } from '../../core/id.ts'
import type { PathName } from '../../core/path.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  lockPermits,
  lockUnpresentedPermits,
  type PermitRow,
  type Unpresented,
} from '../../storage/approvals/permits.ts'
import { listWaitingRequests, type WaitingRequest } from '../../storage/approvals/requests.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Submission } from '../submission.ts'

/** A submission that needs an approval, and the rules that ask for it. */
export interface AskingSubmission {
  readonly submission: Submission
  readonly lifts: readonly Lift[]
}

/** The approvals that are known while a group is judged. Nearly always there are none. */
export interface ApprovalReads {
  /**
   * The approval that the submission presents, or one that was found for it. Throws if the
   * submission presents an approval that does not exist.
   */
  permit(submission: Submission, isUsed: (approvalId: string) => boolean): Permit | undefined
  /** Whether all approval data for this submission has been read. */
  isRead(submission: Submission): boolean
  /** The agent's pending approval requests. */
  waiting(agentId: string): readonly WaitingRequest[]
  /**
   * Reads approval data for submissions that turned out to need an approval. Costs a round trip.
   */
  readFurther(asking: readonly AskingSubmission[], now: Instant): Promise<void>
}

/**
 * Locks the approvals that submissions present; if none presents one, it sends nothing. Only
 * judging shows whether a submission needs an approval. So pending requests, and approvals for
 * paths that cannot present one, are read only then, and all other spends pay nothing.
 */
export function readApprovals(
  tx: Tx,
  organizationId: string,
  submissions: readonly Submission[],
): ApprovalReads | Promise<ApprovalReads> {
  let ids: Set<string> | undefined
  for (const { permit } of submissions) {
    if (permit && 'id' in permit) ids = (ids ?? new Set()).add(permit.id)
  }
  if (ids === undefined) return collectReads(tx, organizationId, NO_PERMITS)
  return lockPermits(tx, organizationId, [...ids]).then((presented) =>
    collectReads(tx, organizationId, presented),
  )
}

const NO_PERMITS: readonly PermitRow[] = []
const NONE_WAITING: readonly WaitingRequest[] = []

/** Data that is read once a submission turns out to need an approval. */
interface FurtherReads {
  readonly now: Instant
  readonly permits: PermitRow[]
  readonly waiting: Map<string, readonly WaitingRequest[]>
  /** Keyed by the spend's id; the values are the rules that asked. */
  readonly spends: Map<string, readonly Lift[]>
}

function collectReads(
  tx: Tx,
  organizationId: string,
  presented: readonly PermitRow[],
): ApprovalReads {
  // Created only on demand, because hardly any group needs an approval.
  let further: FurtherReads | undefined

  return {
    permit(submission, isUsed) {
      const { permit: wanted, spend } = submission
      if (wanted === undefined) return undefined
      const own = ({ agentId }: PermitRow) => agentId === spend.agentId
      if ('id' in wanted) {
        const permit = presented.find((row) => row.approvalId === wanted.id && own(row))
        if (!permit) throw approvalNotFound(wanted.id)
        return isUsed(permit.approvalId) ? { ...permit, status: 'used' } : permit
      }
      return further && findAlike(further, submission, (row) => own(row) && !isUsed(row.approvalId))
    },
    isRead: ({ spend }) => further?.spends.has(spend.transactionId) ?? false,
    waiting: (agentId) => further?.waiting.get(agentId) ?? NONE_WAITING,
    async readFurther(asking, now) {
      further ??= { now, permits: [], waiting: new Map(), spends: new Map() }
      const { permits, waiting, spends } = further
      const agentIds = [...new Set(asking.map(({ submission }) => submission.spend.agentId))]
      const unpresented = unpresentedOf(asking, agentIds)
      const [rows, found] = await Promise.all([
        listWaitingRequests(tx, organizationId, agentIds, now),
        unpresented ? lockUnpresentedPermits(tx, organizationId, unpresented, now) : [],
      ])
      for (const id of agentIds) {
        const own = rows.filter(({ agentId }) => agentId === id)
        waiting.set(id, own)
      }
      const known = new Set(permits.map(({ approvalId }) => approvalId))
      permits.push(...found.filter(({ approvalId }) => !known.has(approvalId)))
      for (const { submission, lifts } of asking) spends.set(submission.spend.transactionId, lifts)
    },
  }
}

/**
 * Returns the smallest approval that covers the spend and lifts every rule that asked. An approval
 * for an earlier version of a rule must not hide the one that helps, and a larger approval is left
 * for its own purpose.
 */
function findAlike(
  { permits, spends, now }: FurtherReads,
  submission: Submission,
  isFree: (row: PermitRow) => boolean,
): PermitRow | undefined {
  const asked = spends.get(submission.spend.transactionId)
  if (asked === undefined) return undefined
  let least: PermitRow | undefined
  for (const row of permits.filter(isFree)) {
    const covers = !refusalOf(row, submission.spend, now) && asked.every((lift) => lifts(row, lift))
    if (covers && (least === undefined || row.maxAmount < least.maxAmount)) least = row
  }
  return least
}

/**
 * Selects the approvals that submissions may use without presenting them; undefined if none may.
 */
function unpresentedOf(
  asking: readonly AskingSubmission[],
  agentIds: readonly string[],
): Unpresented | undefined {
  const cardIds = new Set<string>()
  const paths = new Set<PathName>()
  for (const { submission } of asking) {
    const { permit, spend } = submission
    if (!permit || !('alike' in permit)) continue
    if (spend.card === null) paths.add(spend.path)
    else if (spend.card.cardId !== null) cardIds.add(spend.card.cardId)
  }
  if (cardIds.size + paths.size === 0) return undefined
  return { agentIds, cardIds: [...cardIds], paths: [...paths] }
}

/**
 * The same error covers an approval of a different agent, so that its existence is not revealed.
 */
function approvalNotFound(id: string): Problem {
  return new Problem(
    'approval_not_found',
    `Approval ${toPublicId('apr', id)} does not exist for this agent.`,
  )
}
