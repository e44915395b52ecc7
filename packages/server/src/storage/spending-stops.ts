import { Problem } from '../base/errors.ts'
import type { AgentStatus } from '../core/agent.ts'
import { hasScope, type Scope } from '../core/api-key.ts'
import type { StoredMandateStatus } from '../core/mandates/mandate.ts'
import { type Role, scopesOf } from '../core/people/role.ts'
import type { Principal } from '../core/principal.ts'
import type { Tx } from './engine/database.ts'
import { LOCK_ORDER } from './mandate-locks.ts'

/** The sender of a request: an API key, or a member who has signed in. */
type Asker = Pick<Principal, 'kind' | 'id'>

/** A spender: the key or member that sent the request, the agent, and the mandate. */
export interface Spender {
  readonly organizationId: string
  readonly askedBy: Asker
  readonly agentId: string
  readonly mandateId: string | null
}

/** Every state by which a person can stop a spender. */
export interface SpenderState {
  readonly isFrozen: boolean
  /** Undefined for an agent that does not exist, or was deleted. */
  readonly agentStatus: AgentStatus | undefined
  /** The statuses of the mandate and its ancestors. */
  readonly mandateStatuses: readonly StoredMandateStatus[]
  /** Whether the key is not revoked, or the member is active. */
  readonly isAskerLive: boolean
}

/**
 * Reads the state under locks that keep it true until the end of the transaction: a freeze, pause
 * or revocation either waits for the end or has committed before and is seen. The locks are shared,
 * so spenders do not block each other, and they follow the one lock order. It takes one round trip,
 * which the caller's next statement joins.
 */
export async function lockSpenderState(tx: Tx, spender: Spender): Promise<SpenderState> {
  const { organizationId, askedBy, agentId, mandateId } = spender
  const [organizations, agents, mandates, askers] = await Promise.all([
    shareOrganization(tx, organizationId),
    tx.query<{ status: AgentStatus }>({
      name: 'share-agent',
      text: `select status from agents
             where organization_id = $1 and id = $2 and deleted_at is null for share`,
      values: [organizationId, agentId],
    }),
    tx.query<{ status: StoredMandateStatus }>({
      name: 'share-line',
      text: `
        select status from mandates
        where organization_id = $1 and id = any(array(
          select unnest(own.id || own.ancestor_ids) from mandates own
          where own.organization_id = $1 and own.id = $2))
        order by ${LOCK_ORDER} for share`,
      values: [organizationId, mandateId],
    }),
    shareAsker(tx, organizationId, askedBy),
  ])
  return {
    isFrozen: organizations[0]?.frozen ?? true,
    agentStatus: agents[0]?.status,
    mandateStatuses: mandates.map(({ status }) => status),
    isAskerLive: askers.length > 0,
  }
}

/**
 * Throws unless the key or member is still active and the member's role still has the scope: this
 * process may not have been notified yet. The answer stays true until the end of the transaction,
 * because revoking keys and changing or removing members wait for it, and then also see the rows
 * that this transaction created.
 */
export async function requireAsker(tx: Tx, asker: Principal, scope: Scope): Promise<void> {
  const { organizationId, kind } = asker
  const [, [live]] = await Promise.all([
    shareOrganization(tx, organizationId),
    shareAsker(tx, organizationId, asker),
  ])
  if (!live) {
    const gone = kind === 'member' ? 'The session ended' : 'The API key was revoked'
    throw new Problem('unauthenticated', `${gone} while this request was running.`)
  }
  const { role } = live
  if (role === null || hasScope({ scopes: scopesOf(role) }, scope)) return
  throw new Problem(
    'insufficient_scope',
    `This requires the scope ${scope}, which the role ${role} does not have.`,
    { extra: { requiredScope: scope } },
  )
}

function shareOrganization(tx: Tx, organizationId: string): Promise<{ frozen: boolean }[]> {
  return tx.query<{ frozen: boolean }>({
    name: 'share-organization',
    text: 'select frozen from organizations where id = $1 for share',
    values: [organizationId],
  })
}

/** Only a member has a role; for a key it is null. */
function shareAsker(
  tx: Tx,
  organizationId: string,
  { kind, id }: Asker,
): Promise<{ readonly role: Role | null }[]> {
  if (kind === 'member') {
    return tx.query<{ role: Role }>({
      name: 'share-member',
      text: `select role from members
             where organization_id = $1 and id = $2 and status = 'active' for share`,
      values: [organizationId, id],
    })
  }
  return tx.query<{ role: null }>({
    name: 'share-live-key',
    text: `select null as role from api_keys
           where organization_id = $1 and id = $2 and revoked_at is null for share`,
    values: [organizationId, id],
  })
}
