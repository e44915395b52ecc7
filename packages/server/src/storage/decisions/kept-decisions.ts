import type { PathName } from '../../core/path.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import type { DecidedRow } from './stored-answers.ts'

/** A decision, and what it was made from as far as that is kept. */
export interface KeptDecision extends Omit<DecidedRow, 'details'> {
  readonly path: PathName
  readonly reference: string | null
  /** JSON text; null once the details are removed. */
  readonly details: string | null
  /** Null for a decision from before they were kept, or one that nothing was judged of. */
  readonly engine: number | null
  readonly inputs: string | null
  /** In base64. */
  readonly inputsHash: string | null
  readonly createdAt: Instant
}

export async function findKeptDecision(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<KeptDecision | undefined> {
  const [row] = await db.query<KeptDecision>({
    text: `
      select id, agent_id as "agentId", mandate_id as "mandateId", path,
             coalesce(decided_amount, amount) as amount, currency, vendor,
             category, reference, decision, code,
             case when decision = 'rejected' then 'rejected'
                  when expires_at is not null then 'held' else 'settled' end as status,
             remaining_budget as "remainingBudget", coalesce(flagged_by, '{}') as "flaggedBy",
             details::text as details, engine, inputs,
             encode(inputs_hash, 'base64') as "inputsHash", created_at as "createdAt"
      from transactions where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row
}
