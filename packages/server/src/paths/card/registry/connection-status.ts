import { Problem } from '../../../base/errors.ts'
import { toPublicId } from '../../../core/id.ts'
import type { Tx } from '../../../storage/engine/database.ts'
import { removeIngestTokens } from '../../../storage/ingest-tokens.ts'
import { noteStop } from '../../../storage/stops.ts'
import { CARD_PROBLEMS } from '../problems.ts'
import { countOpenHolds } from '../storage/authorizations.ts'
import { closeCardsOf } from '../storage/cards.ts'
import { countConnections, removeSecrets } from '../storage/connections.ts'
import { type CardConnection, CONNECTIONS_MAX } from './connection.ts'

/** Throws if the connection cannot change to this status. The caller has locked the organization. */
export async function requireStatusChange(
  tx: Tx,
  organizationId: string,
  current: CardConnection,
  status = current.status,
): Promise<void> {
  if (current.status === 'removed') throw connectionRemoved(current)
  if (status === 'removed') return requireUnused(tx, organizationId, current)
  if (status === 'disabled' || current.status === 'active') return
  if ((await countConnections(tx, organizationId)) >= CONNECTIONS_MAX) throw limitReached()
}

/**
 * Removes the tokens, secrets and cards of a removed connection. Its row stays, because records name
 * it.
 */
export function endIfRemoved(
  tx: Tx,
  organizationId: string,
  { id, status, updatedAt, updatedBy }: CardConnection,
): void {
  if (status !== 'removed') return
  tx.send(removeIngestTokens(organizationId, id))
  tx.send(removeSecrets(organizationId, id))
  tx.send(closeCardsOf(organizationId, id, updatedAt, updatedBy))
  noteStop(tx, organizationId)
}

/** Throws while the connection is active or has open holds: without it, no event could end them. */
async function requireUnused(
  tx: Tx,
  organizationId: string,
  { id, status }: CardConnection,
): Promise<void> {
  const openHolds = await countOpenHolds(tx, organizationId, id)
  if (status === 'active') throw inUse('It is active: disable it first.', openHolds)
  if (openHolds === 0) return
  const holds = openHolds === 1 ? '1 hold is' : `${openHolds} holds are`
  throw inUse(
    `${holds} still open, and only this connection receives their outcome. Wait for the issuer's events, or void each with POST /transactions/:id/void and a reason.`,
    openHolds,
  )
}

function inUse(why: string, openHolds: number): Problem {
  return new Problem(
    CARD_PROBLEMS.card_connection_in_use,
    `The connection cannot be removed. ${why}`,
    { extra: { openHolds } },
  )
}

function connectionRemoved({ id }: CardConnection): Problem {
  return new Problem(
    CARD_PROBLEMS.card_connection_removed,
    `The connection ${toPublicId('conn', id)} is removed and cannot be restored. Create a new one with POST /card-connections.`,
  )
}

export function limitReached(): Problem {
  return new Problem(
    CARD_PROBLEMS.card_connection_limit_reached,
    `An organization can have at most ${CONNECTIONS_MAX} active connections to issuers. Disable an unused one.`,
    { extra: { limit: CONNECTIONS_MAX } },
  )
}
