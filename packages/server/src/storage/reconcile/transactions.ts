import type { RowState, RowTexts } from '../../core/audit/row-state.ts'
import type { Instant } from '../../core/time/instant.ts'
import { ROWS } from '../audit/row-states.ts'
import type { Queryable } from '../engine/database.ts'

/** A transaction, the leaf of its decision, and the last leaf about its later changes. */
export interface TransactionRow {
  readonly id: string
  readonly subject: string
  readonly decision: string
  readonly path: string
  readonly amount: bigint
  readonly isHold: boolean
  readonly createdAt: Instant
  readonly row: RowTexts
  readonly hasDetails: boolean
  readonly detailsRemovedAt: Instant | null
  readonly approvalId: string | null
  readonly flaggedBy: string | null
  /** The same two values according to its details. */
  readonly toldApproval: string | null
  readonly toldFlags: string | null
  readonly decidedAs: string | null
  readonly decidedAt: Instant | null
  readonly isLast: boolean | null
  readonly lastKind: string | null
  /** Null if the event was removed. */
  readonly eventNumber: bigint | null
  readonly salt: Buffer | null
  readonly state: RowState | null
  readonly outcome: Readonly<Record<string, unknown>> | null
}

const SUBJECT = `'txn_' || replace(t.id::text, '-', '')`

export function listTransactionRows(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<TransactionRow[]> {
  return db.query<TransactionRow>({
    name: 'reconcile-transactions',
    text: `
      select t.id, ${SUBJECT} as subject, t.decision, t.path, t.amount,
             t.expires_at is not null as "isHold", t.created_at as "createdAt",
             (select jsonb_object_agg(f.key, f.value)
              from jsonb_each_text((${ROWS.transaction('t.id')})) as f (key, value)) as row,
             t.details is not null as "hasDetails", t.details_removed_at as "detailsRemovedAt",
             'apr_' || replace(t.approval_id::text, '-', '') as "approvalId",
             array_to_string(t.flagged_by, ' ') as "flaggedBy",
             t.details -> 'approval' ->> 'id' as "toldApproval",
             (select string_agg(f.rule ->> 'id', ' ')
              from json_array_elements(t.details -> 'rules') as f (rule)
              where f.rule ->> 'outcome' = 'flag') as "toldFlags",
             d.kind as "decidedAs", d.at as "decidedAt", l.index = d.index as "isLast",
             l.kind as "lastKind", e.number as "eventNumber", e.salt, e.state, e.outcome
      from (select x.* from transactions x where x.organization_id = $1 and x.id > $2
            order by x.id limit $3) t
      left join lateral (
        select n.index, n.kind, n.at from audit_leaves n
        where n.organization_id = $1 and n.subject = ${SUBJECT}
          and n.kind in ('transaction.approved', 'transaction.rejected')
        order by n.index limit 1
      ) d on true
      left join lateral (
        select n.index, n.kind, n.number from audit_leaves n
        where n.organization_id = $1 and n.subject = ${SUBJECT} and n.kind like 'transaction.%'
        order by n.index desc limit 1
      ) l on true
      left join webhook_events e on e.organization_id = $1 and e.number = l.number
      order by t.id`,
    values: [organizationId, after, limit],
  })
}
