import { type Instant, toIso } from '../../core/time/instant.ts'
import { TTL } from '../../core/tokens/claims.ts'
import type { Queryable, Tx } from '../engine/database.ts'

/** Revokes all matching tokens that were issued up to an instant. */
export interface Revocation {
  readonly kind: 'token' | 'mandate' | 'agent' | 'organization'
  readonly subject: string
  /** Only tokens of this agent; `ANYBODY` for tokens of any agent. */
  readonly agentId: string
}

export const ANYBODY = '00000000-0000-0000-0000-000000000000'

export async function storeRevocation(
  tx: Tx,
  organizationId: string,
  { kind, subject, agentId }: Revocation,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: `
      insert into token_revocations (organization_id, kind, subject, agent_id, revoked_at)
      values ($1, $2, $3, $4, $5)
      on conflict (organization_id, kind, agent_id, subject) do update
      set revoked_at = greatest(token_revocations.revoked_at, excluded.revoked_at)`,
    values: [organizationId, kind, subject, agentId, toIso(now)],
  })
}

/**
 * The number of single tokens revoked for this agent, or by unbound keys; stops counting at `most`.
 */
export async function countRevokedTokens(
  tx: Tx,
  organizationId: string,
  agentId: string,
  most: number,
): Promise<number> {
  const rows = await tx.query({
    text: `select 1 from token_revocations
           where organization_id = $1 and kind = 'token' and agent_id = $2 limit $3`,
    values: [organizationId, agentId, most],
  })
  return rows.length
}

/**
 * The instant of the latest revocation that covers this token; undefined if there is none.
 * Revocations of parent mandates cover their children's tokens.
 */
export async function findRevokedAt(
  tx: Tx,
  organizationId: string,
  token: { readonly id: string; readonly mandateId: string; readonly agentId: string },
): Promise<Instant | undefined> {
  const [row] = await tx.query<{ revokedAt: Instant | null }>({
    text: `
      select max(revoked_at) as "revokedAt" from token_revocations
      where organization_id = $1 and agent_id in ($5::uuid, $4::uuid) and (
        kind = 'token' and subject = $2::uuid
        or kind = 'agent' and subject = $4::uuid
        or kind = 'organization'
        or kind = 'mandate' and subject = any(array(
          select unnest(own.id || own.ancestor_ids) from mandates own
          where own.organization_id = $1 and own.id = $3::uuid)))`,
    values: [organizationId, token.id, token.mandateId, token.agentId, ANYBODY],
  })
  return row?.revokedAt ?? undefined
}

/** Removes revocations whose tokens have all expired, a bounded number per call. */
export async function removeEndedRevocations(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from token_revocations where (organization_id, kind, agent_id, subject) in (
        select organization_id, kind, agent_id, subject from token_revocations
        where revoked_at < $1 limit 1000)
        -- Checked again: a revocation repeated while this statement waited for its row must stay.
        and revoked_at < $1
      returning 1`,
    values: [toIso(now - TTL.max * 1_000)],
  })
  return rows.length
}
