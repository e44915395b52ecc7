import { type Hash, splitHashes } from '@purser/audit'
import type { BegunWith } from '../../core/audit/payloads.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'

/** The state of an organization's audit log. */
export interface AuditLog {
  /** The audit log begins after this number of the feed. */
  readonly begunAfter: bigint
  /** The numbers and hashes of agents, mandates and versions when the audit log began. */
  readonly begunWith: BegunWith
  readonly size: number
  /** Everything up to this number of the feed is in the audit log. */
  readonly lastNumber: bigint
  /** The roots of its complete subtrees, from left to right. */
  readonly nodes: readonly Hash[]
  /** The number of leaves in the last checkpoint. */
  readonly signedSize: number
  /** The number of its last leaf; null if that leaf cannot be read. */
  readonly lastLeaf: bigint | null
  /** True if sealing has stopped because the feed repeated a number. */
  readonly isStopped: boolean
  /** The last committed number of the feed: everything up to it can be read after this. */
  readonly feedEnd: bigint
}

interface LogRow {
  readonly begunAfter: bigint
  readonly begunWith: BegunWith
  readonly size: bigint
  readonly lastNumber: bigint
  readonly frontier: Buffer
  readonly signedSize: bigint
  readonly lastLeaf: bigint | null
  readonly isStopped: boolean
  readonly feedEnd: bigint | null
}

/** An organization whose audit log is behind its feed. */
export interface Unsealed {
  readonly organizationId: string
  /** True if it has no audit log yet. */
  readonly isNew: boolean
}

/**
 * Organizations after this one with work for the sealer: the feed has unsealed numbers, the feed is
 * behind the audit log, leaves are not signed, or there is no audit log. Read without locks.
 */
export function listUnsealed(db: Queryable, after: string, limit: number): Promise<Unsealed[]> {
  return db.query<Unsealed>({
    name: 'list-unsealed',
    text: `
      select f.organization_id as "organizationId", l.organization_id is null as "isNew"
      from event_feeds f left join audit_logs l
        on l.organization_id = f.organization_id /*among l.organization_id*/
      where f.organization_id > $1 /*among f.organization_id*/
        and (l.organization_id is null or l.size = 0 or l.last_number <> f.last_number
             or l.signed_size < l.size)
      order by f.organization_id limit $2`,
    values: [after, limit],
  })
}

/** Creates the audit log of an organization, unless a different process has just created it. */
export async function openLog(db: Queryable, organizationId: string): Promise<void> {
  await db.query({
    name: 'open-log',
    text: `insert into audit_logs (organization_id, begun_after, size, last_number, frontier, signed_size)
           values ($1, 0, 0, 0, '', 0) on conflict (organization_id) do nothing`,
    values: [organizationId],
  })
}

/**
 * Locks the audit log until the end of the transaction. Returns undefined without waiting if a
 * different process is sealing it.
 */
export async function lockLog(tx: Tx, organizationId: string): Promise<AuditLog | undefined> {
  const [row] = await tx.query<LogRow>({
    name: 'lock-log',
    text: `select begun_after as "begunAfter", begun_with as "begunWith", size,
                  last_number as "lastNumber", frontier, signed_size as "signedSize",
                  (select e.number from audit_leaves e
                   where e.organization_id = $1 and e.index = l.size - 1) as "lastLeaf",
                  exists (select 1 from audit_stops where organization_id = $1) as "isStopped",
                  (select last_number from event_feeds where organization_id = $1) as "feedEnd"
           from audit_logs l where organization_id = $1 for update skip locked`,
    values: [organizationId],
  })
  return row && toLog(row)
}

function toLog({ frontier, size, signedSize, feedEnd, ...row }: LogRow): AuditLog {
  return {
    ...row,
    size: Number(size),
    nodes: splitHashes(frontier),
    signedSize: Number(signedSize),
    feedEnd: feedEnd ?? 0n,
  }
}

/** The `begunWith` of the audit log; null also if there is no audit log. */
export async function findBegunWith(db: Queryable, organizationId: string): Promise<BegunWith> {
  const [row] = await db.query<Pick<AuditLog, 'begunWith'>>({
    name: 'find-begun-with',
    text: 'select begun_with as "begunWith" from audit_logs where organization_id = $1',
    values: [organizationId],
  })
  return row?.begunWith ?? null
}

/** Stores the new size of the audit log. The caller holds its lock. */
export function growLog(
  organizationId: string,
  { size, lastNumber, nodes }: Pick<AuditLog, 'size' | 'lastNumber' | 'nodes'>,
): Statement {
  return {
    name: 'grow-log',
    text: `update audit_logs set size = $2, last_number = $3, frontier = $4
           where organization_id = $1`,
    values: [organizationId, size, lastNumber, Buffer.concat(nodes)],
  }
}

/** Stores a checkpoint, unless a different process has signed a larger audit log meanwhile. */
export async function storeNote(
  db: Queryable,
  organizationId: string,
  { size, note }: SignedHead,
): Promise<void> {
  await db.query({
    name: 'store-note',
    text: `update audit_logs set signed_size = $2, note = $3
           where organization_id = $1 and signed_size < $2`,
    values: [organizationId, size, note],
  })
}

/** The last checkpoint of an audit log, as it was signed. */
export interface SignedHead {
  readonly size: number
  readonly note: string
}

/** Returns undefined if the audit log is not signed yet. */
export async function findHead(
  db: Queryable,
  organizationId: string,
): Promise<SignedHead | undefined> {
  const [row] = await db.query<{ size: bigint; note: string }>({
    name: 'find-head',
    text: `select signed_size as size, note from audit_logs
           where organization_id = $1 and note is not null`,
    values: [organizationId],
  })
  return row && { size: Number(row.size), note: row.note }
}
