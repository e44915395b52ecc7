import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** The size and the position of an audit log, and whether it began late. */
export interface LogState {
  readonly size: number
  readonly lastNumber: bigint
  readonly frontier: Buffer
  readonly signedSize: number
  readonly note: string | null
  /** Whether the organization had rows before the audit log began. No leaf names those. */
  readonly isLate: boolean
  /** The time of the first leaf. */
  readonly begunAt: Instant | null
}

interface LogStateRow extends Omit<LogState, 'size' | 'signedSize'> {
  readonly size: bigint
  readonly signedSize: bigint
}

export async function readLogState(
  db: Queryable,
  organizationId: string,
): Promise<LogState | undefined> {
  const [row] = await db.query<LogStateRow>({
    text: `
      select g.size, g.last_number as "lastNumber", g.frontier, g.signed_size as "signedSize", g.note,
             g.begun_after > 0 as "isLate",
             (select l.at from audit_leaves l where l.organization_id = $1 and l.index = 0) as "begunAt"
      from audit_logs g where g.organization_id = $1`,
    values: [organizationId],
  })
  return row && { ...row, size: Number(row.size), signedSize: Number(row.signedSize) }
}

/** Subjects with an event or a change that is not sealed yet. */
export interface Unsealed {
  readonly subjects: readonly string[]
  /** True if a limit was reached, so that there may be more subjects. */
  readonly isCut: boolean
}

/** Lists the ids of all such subjects, from at most `limit` events and `limit` changes. */
export async function listUnsealed(
  db: Queryable,
  organizationId: string,
  after: bigint,
  limit: number,
): Promise<Unsealed> {
  const [row] = await db.query<Unsealed>({
    text: `
      with events as materialized (
        select coalesce(e.outcome ->> 'approvalId', e.transaction_id::text, e.mandate_id::text) as subject,
               e.transaction_id::text as transaction
        from webhook_events e where e.organization_id = $1 and e.number > $2 limit $3
      ), changed as materialized (
        select c.subject_id from changes c where c.organization_id = $1 and c.number > $2 limit $3
      )
      select array(select subject from events where subject is not null
                   union select transaction from events where transaction is not null
                   union select subject_id from changed) as subjects,
             (select count(*) from events) >= $3 or (select count(*) from changed) >= $3 as "isCut"`,
    values: [organizationId, after, limit],
  })
  return row ?? { subjects: [], isCut: false }
}

/** The instants up to which change records explain missing rows; null if none does. */
export interface Pruned {
  readonly eventsBefore: Instant | null
  readonly detailsBefore: Instant | null
  /**
   * An older gateway may have adjusted holds decided before this instant without leaving a leaf.
   */
  readonly adjustedBefore: Instant | null
}

const latest = (name: string): string => `max((c.after ->> '${name}')::timestamptz)`

/** Reads change records that have a leaf, and those that are not sealed yet. */
export async function readPruned(
  db: Queryable,
  organizationId: string,
  subject: string,
  after: bigint,
): Promise<Pruned> {
  const [row] = await db.query<Pruned>({
    text: `
      select ${latest('eventsBefore')} as "eventsBefore", ${latest('detailsBefore')} as "detailsBefore",
             ${latest('adjustedBefore')} as "adjustedBefore"
      from changes c
      where c.organization_id = $1 and c.operation = 'organization.pruned'
        and (c.number > $3 or c.number = any(array(
          select l.number from audit_leaves l
          where l.organization_id = $1 and l.subject = $2 and l.kind = 'change.organization.pruned')))`,
    values: [organizationId, subject, after],
  })
  return row ?? { eventsBefore: null, detailsBefore: null, adjustedBefore: null }
}

/** Fields of a row of the feed that its leaf does not commit to. */
export interface FeedRow {
  readonly number: bigint
  readonly isSample: boolean
  /** The hash of its leaf, stored beside a decision. */
  readonly leaf: Buffer | null
  /** Null for an event. */
  readonly subjectType: string | null
}

/**
 * All rows of a range of the feed. The range is that of one page of leaves, so it is never long.
 */
export function listFeedRows(
  db: Queryable,
  organizationId: string,
  after: bigint,
  to: bigint,
): Promise<FeedRow[]> {
  return db.query<FeedRow>({
    text: `
      select e.number, e.sample is not null as "isSample", e.leaf, null as "subjectType"
      from webhook_events e where e.organization_id = $1 and e.number > $2 and e.number <= $3
      union all
      select c.number, false, null, c.subject_type
      from changes c where c.organization_id = $1 and c.number > $2 and c.number <= $3`,
    values: [organizationId, after, to],
  })
}

export interface KeptDecision {
  readonly id: string
  readonly code: string
  readonly hasDetails: boolean
  readonly detailsRemovedAt: Instant | null
  readonly createdAt: Instant
}

/** The transactions among these ids that exist. */
export function findKeptDecisions(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<KeptDecision[]> {
  return db.query<KeptDecision>({
    text: `
      select id, code, details is not null as "hasDetails", details_removed_at as "detailsRemovedAt",
             created_at as "createdAt"
      from transactions where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(ids)],
  })
}
