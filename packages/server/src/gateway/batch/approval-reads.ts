import { type Permit, refusalOf } from '../../core/approvals/permit.ts'
import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import { Problem } from '../../errors.ts'
import { lockPermits, lockPermitsOfCards, type PermitRow } from '../../storage/approvals/permits.ts'
import { listWaitingRequests, type WaitingRequest } from '../../storage/approvals/requests.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Submission } from '../submission.ts'

/** What is known of approvals while a group is judged. Nearly always that is nothing. */
export interface ApprovalReads {
  /**
   * The approval that the submission presents, or one that was found for its card. Throws if it
   * presents one that does not exist.
   */
  permit(submission: Submission, isUsed: (approvalId: string) => boolean): Permit | undefined
  /** Whether everything was read that a submission needs that asks for a person. */
  isRead(submission: Submission): boolean
  /** The requests of the agent that wait. */
  waiting(agentId: string): readonly WaitingRequest[]
  /** Reads that for submissions that were found to ask for a person. It costs a round trip. */
  readFurther(asking: readonly Submission[], now: Instant): Promise<void>
}

/**
 * Locks the approvals that submissions present; where none does, nothing is sent. Whether one asks for
 * a person is known only when it is judged. So what waits already, and what was approved for a card,
 * is read then, and spends that ask for nobody pay nothing.
 */
export function readApprovals(
  tx: Tx,
  organizationId: string,
  submissions: readonly Submission[],
): ApprovalReads | Promise<ApprovalReads> {
  const ids = submissions.flatMap(({ permit }) => (permit && 'id' in permit ? permit.id : []))
  if (ids.length === 0) return collectReads(tx, organizationId, [])
  return lockPermits(tx, organizationId, [...new Set(ids)]).then((presented) =>
    collectReads(tx, organizationId, presented),
  )
}

function collectReads(
  tx: Tx,
  organizationId: string,
  presented: readonly PermitRow[],
): ApprovalReads {
  const found: PermitRow[] = []
  const waiting = new Map<string, WaitingRequest[]>()
  const read = new Set<Submission>()
  let now = 0

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
      const isFree = (row: PermitRow) => own(row) && !isUsed(row.approvalId)
      return found.find((row) => isFree(row) && !refusalOf(row, spend, now))
    },
    isRead: (submission) => read.has(submission),
    waiting: (agentId) => waiting.get(agentId) ?? [],
    async readFurther(asking, at) {
      now = at
      const agentIds = [...new Set(asking.map(({ spend }) => spend.agentId))]
      const cardIds = [...new Set(asking.flatMap(cardOf))]
      const [rows, permits] = await Promise.all([
        listWaitingRequests(tx, organizationId, agentIds, at),
        cardIds.length === 0 ? [] : lockPermitsOfCards(tx, organizationId, cardIds, agentIds, at),
      ])
      for (const agentId of agentIds) {
        waiting.set(
          agentId,
          rows.filter((row) => row.agentId === agentId),
        )
      }
      const known = new Set(found.map(({ approvalId }) => approvalId))
      found.push(...permits.filter(({ approvalId }) => !known.has(approvalId)))
      for (const submission of asking) read.add(submission)
    },
  }
}

/** The card for which something may have been approved, where the path presents no id. */
function cardOf({ permit, spend }: Submission): string[] {
  const cardId = spend.card?.cardId ?? null
  return permit && 'alike' in permit && cardId !== null ? [cardId] : []
}

/** The same for an approval of another agent: nobody learns that it exists. */
function approvalNotFound(id: string): Problem {
  return new Problem(
    'approval_not_found',
    `There is no approval ${toPublicId('apr', id)} for this agent.`,
  )
}
