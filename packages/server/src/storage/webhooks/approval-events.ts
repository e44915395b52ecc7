import type { ToldApproval } from '../../core/events/approval-event.ts'
import type { ApprovalKind } from '../../core/events/event.ts'
import type { Instant } from '../../core/time/instant.ts'
import { newId } from '../new-id.ts'
import type { EventRow } from './events.ts'

/** Makes an event about an approval. It stores all data of the event as they are now. */
export function toApprovalEvent(
  kind: ApprovalKind,
  { agentId, transactionId }: ToldApproval,
  data: object,
  now: Instant,
): EventRow {
  return {
    id: newId(now),
    kind,
    transactionId,
    agentId,
    mandateId: null,
    budgetTotal: null,
    budgetSpent: null,
    outcome: JSON.stringify(data),
    sample: null,
  }
}
