import type { Tx } from './engine/database.ts'

/**
 * Records that spending was stopped: the organization was frozen, or an agent or a card was paused
 * or closed. From then on, decisions that were judged on the state before can no longer be stored
 * as approvals (ADR 50). The statement is sent last because it locks the feed, so a stop does not
 * wait for a decision that is being judged.
 */
export function noteStop(tx: Tx, organizationId: string): void {
  tx.sendLast({
    name: 'note-stop',
    text: 'update event_feeds set stops = stops + 1 where organization_id = $1',
    values: [organizationId],
  })
}

/** True if decisions could not be stored because spending was stopped after they were judged. */
export function isOutdatedByStop(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === NOT_NULL_VIOLATION && error.message.includes('"last_number"')
}

const NOT_NULL_VIOLATION = '23502'
