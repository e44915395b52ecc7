import { type Hash, splitHashes } from '@purser/audit'
import type { BegunWith } from '../../core/audit/payloads.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'

/** The state of an organization's log. */
export interface AuditLog {
  /** The number in the feed behind which it begins. */
  readonly begunAfter: bigint
  /** What there was then. */
  readonly begunWith: BegunWith
  readonly size: number
  /** Everything up to this number of the feed is in it. */
  readonly lastNumber: bigint
  /** The roots of its complete subtrees, from the left. */
  readonly nodes: readonly Hash[]
  /** How many leaves the last checkpoint has. */
  readonly signedSize: number
  /** The number of its last leaf; null where that cannot be read. */
  readonly lastLeaf: bigint | null
  /** Nothing more is sealed, because the feed gave a number again. */
  readonly isStopped: boolean
  /** The last number of the feed that is committed: everything up to it can be read afterwards. */
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

/** An organization whose log is behind. */
export interface Unsealed {
  readonly organizationId: string
  /** It has no log yet. */
  readonly isNew: boolean
}

/**
 * Organizations behind this one in whose feed there is something that is not sealed, or whose feed is
 * behind its log, or whose log has leaves that are not signed, or none at all. They are found without a lock.
 */
export function listUnsealed(db: Queryable, after: string, limit: number): Promise<Unsealed[]> {
  return db.query<Unsealed>({
    name: 'list-unsealed',
    text: `
      select f.organization_id as "organizationId", l.organization_id is null as "isNew"
      from event_feeds f left join audit_logs l on l.organization_id = f.organization_id
      where f.organization_id > $1
        and (l.organization_id is null or l.size = 0 or l.last_number <> f.last_number
             or l.signed_size < l.size)
      order by f.organization_id limit $2`,
    values: [after, limit],
  })
}

/** Makes the log of an organization, unless another process has just made it. */
export async function openLog(db: Queryable, organizationId: string): Promise<void> {
  await db.query({
    name: 'open-log',
    text: `insert into audit_logs (organization_id, begun_after, size, last_number, frontier, signed_size)
           values ($1, 0, 0, 0, '', 0) on conflict (organization_id) do nothing`,
    values: [organizationId],
  })
}

/**
 * Locks the log until the end of the transaction. Undefined if another process seals it, which is not
 * waited for.
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

/** What there was when the log began; null also where there is no log. */
export async function findBegunWith(db: Queryable, organizationId: string): Promise<BegunWith> {
  const [row] = await db.query<Pick<AuditLog, 'begunWith'>>({
    name: 'find-begun-with',
    text: 'select begun_with as "begunWith" from audit_logs where organization_id = $1',
    values: [organizationId],
  })
  return row?.begunWith ?? null
}

/** What the log has grown to, for whoever holds its lock. */
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

/** Keeps a checkpoint, unless another process has signed a longer log meanwhile. */
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

/** The last checkpoint of a log, as it was signed. */
export interface SignedHead {
  readonly size: number
  readonly note: string
}

/** Undefined while the log has not been signed yet. */
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
