import type { Tx } from '../engine/database.ts'
import { findDeliveryStatuses } from './deliveries.ts'
import { findQueued, type RunningRedelivery } from './redeliveries.ts'

/** Counts the deliveries of a task whose attempt has ended since the last time. */
export async function accountRedelivery(
  tx: Tx,
  organizationId: string,
  task: RunningRedelivery,
): Promise<RunningRedelivery> {
  if (task.entryIds.length === 0) return task
  const queued = await findQueued(tx, organizationId, task.entryIds)
  const isQueued = (_: string, index: number): boolean => queued.has(task.entryIds[index] ?? '')
  const ended = task.deliveryIds.filter((id, index) => !isQueued(id, index))
  const statuses = await findDeliveryStatuses(tx, organizationId, ended)
  const sent = statuses.filter(({ status }) => status === 'succeeded').length
  return {
    ...task,
    sent: task.sent + sent,
    failed: task.failed + ended.length - sent,
    deliveryIds: task.deliveryIds.filter(isQueued),
    entryIds: task.entryIds.filter(isQueued),
  }
}
