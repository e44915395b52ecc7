import type { Permit } from '../../core/approvals/permit.ts'
import type { PathName } from '../../core/path.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** An approval that a spend presents, and the agent that may use it. */
export interface PermitRow extends Permit {
  readonly agentId: string
}

/** More approvals than one card or one agent has at a time. */
const ALIKE_MAX = 100

const PERMIT_COLUMNS = `
  id as "approvalId", agent_id as "agentId", status, expires_at as "expiresAt", vendor, category, path,
  payee, card_id as "cardId", coalesce(max_amount, amount) as "maxAmount", currency, lifts`

/**
 * Locks the approvals that spends present, so that each is used once. Send this after the locks of
 * the mandates, which come first in the lock order.
 */
export function lockPermits(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<PermitRow[]> {
  return tx.query<PermitRow>({
    name: 'lock-permits',
    text: `select ${PERMIT_COLUMNS} from approvals
           where organization_id = $1 and id = any($2::uuid[]) order by id for update`,
    values: [organizationId, plainArray(ids)],
  })
}

/** The agents, cards and paths whose approvals are searched. */
export interface Unpresented {
  readonly agentIds: readonly string[]
  readonly cardIds: readonly string[]
  /** Paths without cards on which a spend cannot present an approval's id. */
  readonly paths: readonly PathName[]
}

/**
 * Locks approvals for spends that cannot present an id, as in card networks: it finds those
 * approved for the card, or for the agent on that path.
 */
export function lockUnpresentedPermits(
  tx: Tx,
  organizationId: string,
  { agentIds, cardIds, paths }: Unpresented,
  now: Instant,
): Promise<PermitRow[]> {
  return tx.query<PermitRow>({
    name: 'lock-unpresented-permits',
    text: `select ${PERMIT_COLUMNS} from approvals
           where organization_id = $1 and agent_id = any($2::uuid[])
             and (card_id = any($3::uuid[]) or path = any($4::text[]))
             and status = 'approved' and expires_at > $5
           order by id limit ${ALIKE_MAX} for update`,
    values: [
      organizationId,
      plainArray(agentIds),
      plainArray(cardIds),
      plainArray(paths),
      toIso(now),
    ],
  })
}

/** The caller has locked these approvals and found each usable. */
export function usePermits(
  organizationId: string,
  now: Instant,
  uses: readonly { readonly transactionId: string; readonly approvalId: string }[],
): Statement {
  return {
    name: 'use-permits',
    text: `
      update approvals a set status = 'used', used_by = u.transaction_id, used_at = $4::timestamptz
      from unnest($2::uuid[], $3::uuid[]) as u (id, transaction_id)
      where a.organization_id = $1 and a.id = u.id and a.status = 'approved'`,
    values: [
      organizationId,
      plainArray(uses.map(({ approvalId }) => approvalId)),
      plainArray(uses.map(({ transactionId }) => transactionId)),
      toIso(now),
    ],
  }
}

/**
 * Makes an approval usable again after a spend that certainly moved no money: its caller received a
 * rejection, or a checkout is proven to have paid nothing. The expiry stays the same. The caller
 * holds the locks of the mandates.
 */
export function returnPermit(organizationId: string, id: string, transactionId: string): Statement {
  return {
    name: 'return-permit',
    text: `update approvals set status = 'approved', used_by = null, used_at = null
           where organization_id = $1 and id = $2 and used_by = $3 and status = 'used'`,
    values: [organizationId, id, transactionId],
  }
}
