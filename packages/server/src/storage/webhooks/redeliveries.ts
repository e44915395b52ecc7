import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import type { PastDelivery } from './queue.ts'

/** The most that one task sends again, so that its count is bounded too. */
export const REDELIVERED_MAX = 100_000

/** The task that sends the failed deliveries of an organization again. */
export interface Redelivery {
  readonly status: 'running' | 'done' | 'stopped'
  /** Null: from the oldest delivery on. */
  readonly from: Instant | null
  readonly to: Instant
  readonly total: number
  readonly sent: number
  readonly failed: number
  readonly startedAt: Instant
  readonly endedAt: Instant | null
}

/** Where a running task is. */
export interface RunningRedelivery extends Redelivery {
  /** The task has looked at the deliveries up to this id. */
  readonly afterId: string
  /** The task ends before this id. */
  readonly endId: string
  /** The queued deliveries whose attempt has not ended, and their queue entries in the same order. */
  readonly deliveryIds: readonly string[]
  readonly entryIds: readonly string[]
}

const COLUMNS = `
  status, from_at as "from", to_at as "to", total, sent, failed, started_at as "startedAt",
  ended_at as "endedAt"`

/** The last task of the organization, running or ended. */
export async function findRedelivery(
  db: Queryable,
  organizationId: string,
): Promise<Redelivery | undefined> {
  const [row] = await db.query<Redelivery>({
    text: `select ${COLUMNS} from webhook_redeliveries where organization_id = $1`,
    values: [organizationId],
  })
  return row
}

/** Begins a task in place of the last one. Returns false while that one is running. */
export async function beginRedelivery(
  tx: Tx,
  organizationId: string,
  task: Omit<RunningRedelivery, 'sent' | 'failed' | 'deliveryIds' | 'entryIds'>,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into webhook_redeliveries (organization_id, status, from_at, to_at, total, after_id,
                                        end_id, started_at, ended_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (organization_id) do update
      set status = excluded.status, from_at = excluded.from_at, to_at = excluded.to_at,
          total = excluded.total, sent = 0, failed = 0, after_id = excluded.after_id,
          end_id = excluded.end_id, delivery_ids = '{}', entry_ids = '{}',
          started_at = excluded.started_at, ended_at = excluded.ended_at
      where webhook_redeliveries.status <> 'running'
      returning 1`,
    values: [
      organizationId,
      task.status,
      task.from === null ? null : toIso(task.from),
      toIso(task.to),
      task.total,
      task.afterId,
      task.endId,
      toIso(task.startedAt),
      task.endedAt === null ? null : toIso(task.endedAt),
    ],
  })
  return rows.length > 0
}

/** Organizations with a running task, in the order of their ids. Read without locks. */
export async function listRedeliveries(
  db: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'list-redeliveries',
    text: `select organization_id as id from webhook_redeliveries
           where status = 'running' and organization_id > $1 /*among organization_id*/
           order by organization_id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Locks the running task, so that one process at a time continues it. */
export async function lockRedelivery(
  tx: Tx,
  organizationId: string,
): Promise<RunningRedelivery | undefined> {
  const [row] = await tx.query<RunningRedelivery>({
    name: 'lock-redelivery',
    text: `select ${COLUMNS}, after_id as "afterId", end_id as "endId",
                  delivery_ids as "deliveryIds", entry_ids as "entryIds"
           from webhook_redeliveries where organization_id = $1 and status = 'running' for update`,
    values: [organizationId],
  })
  return row
}

/** Stores how far the task is. The caller has locked it. */
export function storeRedelivery(organizationId: string, task: RunningRedelivery): Statement {
  return {
    name: 'store-redelivery',
    text: `update webhook_redeliveries
           set status = $2, total = $3, sent = $4, failed = $5, after_id = $6,
               delivery_ids = $7::uuid[], entry_ids = $8::uuid[], ended_at = $9
           where organization_id = $1`,
    values: [
      organizationId,
      task.status,
      task.total,
      task.sent,
      task.failed,
      task.afterId,
      plainArray(task.deliveryIds),
      plainArray(task.entryIds),
      task.endedAt === null ? null : toIso(task.endedAt),
    ],
  }
}

/** The deliveries that a task is about: by id, and exactly by the time of the event. An index has them. */
export type RedeliveryRange = Pick<RunningRedelivery, 'from' | 'to' | 'afterId' | 'endId'>

function rangeValues(organizationId: string, { from, to, afterId, endId }: RedeliveryRange) {
  return [organizationId, afterId, endId, from === null ? null : toIso(from), toIso(to)]
}

const IS_FAILED = `status = 'failed'
  and ($4::timestamptz is null or created_at >= $4) and created_at < $5
  and coalesce(endpoint_id, organization_id) = any($6::uuid[])`

/** How many failed deliveries to these endpoints are in the range; counting ends at `most`. */
export async function countFailed(
  db: Queryable,
  organizationId: string,
  range: RedeliveryRange,
  endpointIds: readonly string[],
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    text: `
      select count(*) as count from (
        select 1 from webhook_deliveries
        where organization_id = $1 and id > $2 and id < $3 and ${IS_FAILED} limit $7) as counted`,
    values: [...rangeValues(organizationId, range), plainArray(endpointIds), most],
  })
  return Number(row?.count ?? 0n)
}

/** The next failed deliveries to these endpoints, oldest first. */
export async function listNextFailed(
  db: Queryable,
  organizationId: string,
  range: RedeliveryRange,
  endpointIds: readonly string[],
  most: number,
): Promise<PastDelivery[]> {
  return db.query<PastDelivery>({
    name: 'list-next-failed',
    text: `select id, coalesce(event_id, id) as "eventId", endpoint_id as "endpointId"
           from webhook_deliveries
           where organization_id = $1 and id > $2 and id < $3 and ${IS_FAILED}
           order by id limit $7`,
    values: [...rangeValues(organizationId, range), plainArray(endpointIds), most],
  })
}

/** Which of these queue entries still wait or are being sent. */
export async function findQueued(
  db: Queryable,
  organizationId: string,
  entryIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    name: 'find-queued',
    text: 'select id from webhook_queue where organization_id = $1 and id = any($2::uuid[])',
    values: [organizationId, plainArray(entryIds)],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Queues deliveries for one more attempt each, like `queueAgain`. */
export function queueAllAgain(
  organizationId: string,
  entryIds: readonly string[],
  deliveries: readonly PastDelivery[],
  at: Instant,
): Statement {
  return {
    name: 'queue-all-again',
    text: `
      insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at, endpoint_id,
                                 delivery_id)
      select $1, a.entry_id, e.id, e.number, true, $2, a.endpoint_id, a.delivery_id
      from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[])
        as a (entry_id, event_id, endpoint_id, delivery_id)
      join webhook_events e on e.organization_id = $1 and e.id = a.event_id`,
    values: [
      organizationId,
      toIso(at),
      plainArray(entryIds),
      plainArray(deliveries.map(({ eventId }) => eventId)),
      plainArray(deliveries.map(({ endpointId }) => endpointId)),
      plainArray(deliveries.map(({ id, endpointId }) => (endpointId === null ? null : id))),
    ],
  }
}

/** Takes back entries that are not being sent. */
export function unqueue(organizationId: string, entryIds: readonly string[]): Statement {
  return {
    text: `delete from webhook_queue
           where organization_id = $1 and id = any($2::uuid[]) and attempt_id is null`,
    values: [organizationId, plainArray(entryIds)],
  }
}
