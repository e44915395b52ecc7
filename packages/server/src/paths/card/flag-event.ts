import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import { readSubscription, tellEvents, untoldUnless } from '../../storage/webhooks/subscriptions.ts'
import type { CardEvent } from './issuers/issuer.ts'
import type { OpenedConnection } from './registry/connection.ts'
import { type FlaggedEvent, flagForeign, flagUnlinked, type Heard } from './registry/flagged.ts'
import { storeFlagged } from './storage/flagged.ts'

const KIND = 'card.flagged'

/** Flags those new facts of an event that a person should look at. */
export async function flagHeard(
  tx: Tx,
  connection: OpenedConnection,
  heard: Heard,
  facts: CardEvent['facts'],
  at: Instant,
): Promise<void> {
  const { authorizationId, ofTransaction } = heard.event
  const isUnlinked = authorizationId === null && ofTransaction === null
  for (const fact of facts) {
    if (fact.kind === 'foreign') await flagEvent(tx, connection, flagForeign(fact, heard, at))
    if (fact.kind !== 'refund' || fact.amount <= 0n || !isUnlinked) continue
    await flagEvent(tx, connection, flagUnlinked(fact, heard, at))
  }
}

/**
 * Stores a flag in the health of the connection and publishes it once: to the event feed if the
 * organization has subscribed to it, and always to the audit log.
 */
export async function flagEvent(
  tx: Tx,
  { organizationId, id }: Pick<OpenedConnection, 'organizationId' | 'id'>,
  flagged: FlaggedEvent,
): Promise<void> {
  if (!(await storeFlagged(tx, organizationId, id, flagged))) return
  const { what, at, told } = flagged
  const subscription = await readSubscription(tx, organizationId)
  const row = {
    id: newId(at),
    kind: KIND,
    transactionId: null,
    agentId: told.agentId,
    mandateId: null,
    budgetTotal: null,
    budgetSpent: null,
    outcome: JSON.stringify({ what, connectionId: toPublicId('conn', id), ...told }),
    sample: null,
    ...untoldUnless(subscription, KIND),
  } as const
  for (const statement of tellEvents(organizationId, at, [row], subscription)) {
    tx.sendLast(statement)
  }
}
