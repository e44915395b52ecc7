import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import type { PathName } from '../../core/path.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { boundsOf } from '../id-bounds.ts'
import type { DecisionRow, NotedSpend } from './store-decisions.ts'

/** The fields that the response to a decision is made of. */
export type DecidedRow = Pick<
  DecisionRow,
  | 'id'
  | 'agentId'
  | 'mandateId'
  | 'amount'
  | 'currency'
  | 'vendor'
  | 'category'
  | 'decision'
  | 'status'
  | 'code'
  | 'remainingBudget'
  | 'flaggedBy'
  | 'details'
> & {
  /** Facts that the payment path added to the record of the spend. */
  readonly noted?: Pick<NotedSpend, 'external'> | null
}

/**
 * Decisions as their callers received them, by transaction id. The status is that of the decision
 * and not the transaction's current one: a retried request gets the first response. Details that
 * retention has removed are null.
 */
export async function findDecided(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, DecidedRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<DecidedRow>({
    name: 'find-decided',
    text: `
      select id, agent_id as "agentId", mandate_id as "mandateId", amount, currency, vendor, category, decision, code,
             case when decision = 'rejected' then 'rejected'
                  when expires_at is not null then 'held' else 'settled' end as status,
             remaining_budget as "remainingBudget", coalesce(flagged_by, '{}') as "flaggedBy",
             coalesce(details::text, 'null') as details,
             case when external is not null then jsonb_build_object('external', external) end as noted
      from transactions
      where organization_id = $1 and id = any($2::uuid[]) and id >= $3 and id <= $4`,
    values: [organizationId, ids, ...boundsOf(ids)],
  })
  return new Map(rows.map((row) => [row.id, row.code === DEADLINE_PASSED ? toDecline(row) : row]))
}

/** An approval that was stored too late keeps its mandate, but its caller received a rejection. */
function toDecline(row: DecidedRow): DecidedRow {
  const told = { decision: 'rejected', status: 'rejected', mandateId: null, remainingBudget: 0n }
  return { ...row, ...told, flaggedBy: [] }
}

/** A decision and its inputs, as far as retention has kept them. */
export interface KeptDecision extends Omit<DecidedRow, 'details'> {
  readonly path: PathName
  readonly reference: string | null
  /** JSON text; null once the details are removed. */
  readonly details: string | null
  /** Null for a decision from before inputs were stored, or if nothing was judged. */
  readonly engine: number | null
  readonly inputs: string | null
  /** The hash in base64. */
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
