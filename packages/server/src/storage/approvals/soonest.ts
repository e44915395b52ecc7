import type { Approval } from '../../core/approvals/approval.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { COUNTED_MAX, type Condition, type Page, type PageRequest, totalOf } from '../page.ts'
import { createText, SEARCHED_MAX } from '../page-statements.ts'
import { APPROVAL_COLUMNS, type ApprovalFilter } from './approvals.ts'

/** The place of a pending request in the order of their expiry. */
interface Place {
  readonly id: string
  /** As text, because an instant has no microseconds. */
  readonly expiresAt: string
}

/** The pending requests of an organization. */
interface Queue {
  readonly db: Queryable
  readonly organizationId: string
  readonly now: Instant
}

/** The requests between two places. */
interface Range {
  readonly after: Place | undefined
  readonly to: Place | undefined
}

/**
 * One page of pending requests, those that expire first at the beginning. The index of pending
 * requests provides the order. No index has the filters, so with them a page looks at `searchedMax`
 * requests; only tests pass it.
 */
export async function listSoonest(
  db: Queryable,
  organizationId: string,
  filter: Omit<ApprovalFilter, 'status'>,
  now: Instant,
  { limit, offset, after: afterId }: PageRequest,
  searchedMax = SEARCHED_MAX,
): Promise<Page<Approval>> {
  const filters = filtersOf(filter)
  const queue = { db, organizationId, now }
  const findEnd = (after?: Place) =>
    filters.length === 0 ? undefined : findAt(queue, after, searchedMax - 1)
  const after = afterId === undefined ? undefined : await findPlace(queue, afterId)
  // The end comes first: requests stop to be pending, and then it would move behind others.
  const to = await findEnd(after)
  const found = await listRange(queue, filters, { after, to }, { limit: limit + 1, offset })
  const isFull = found.length > limit
  const page = { rows: found.slice(0, limit), limit, offset, hasMore: isFull || to !== undefined }
  const searchedTo = isFull ? undefined : to?.id
  if (!isFull && offset === 0 && afterId === undefined) {
    return { ...page, total: found.length, totalIsExact: to === undefined, searchedTo }
  }
  const first = after === undefined ? to : await findEnd()
  const total = totalOf(await countTo(queue, filters, first))
  const totalIsExact = total.totalIsExact && first === undefined
  return { ...page, ...total, totalIsExact, searchedTo }
}

function filtersOf({
  agentId,
  vendor,
  agentIds,
  from,
  to,
}: Omit<ApprovalFilter, 'status'>): Condition[] {
  const filters: (Condition | undefined)[] = [
    agentId === undefined ? undefined : ['agent_id = ?', agentId],
    vendor === undefined ? undefined : ['vendor = ?', vendor],
    agentIds === null ? undefined : ['agent_id = any(?::uuid[])', plainArray(agentIds)],
    from === undefined ? undefined : ['created_at >= ?', toIso(from)],
    to === undefined ? undefined : ['created_at < ?', toIso(to)],
  ]
  return filters.filter((condition) => condition !== undefined)
}

function listRange(
  queue: Queue,
  filters: readonly Condition[],
  range: Range,
  { limit, offset }: { limit: number; offset: number },
): Promise<Approval[]> {
  const { values, place, toSql } = createText()
  const where = conditionsOf(queue, filters, range).map(toSql).join(' and ')
  return queue.db.query<Approval>({
    text: `select ${APPROVAL_COLUMNS} from approvals where ${where}
           order by expires_at, id limit ${place(limit)} offset ${place(offset)}`,
    values,
  })
}

/** Counts up to COUNTED_MAX. */
async function countTo(
  queue: Queue,
  filters: readonly Condition[],
  to: Place | undefined,
): Promise<number> {
  const { values, toSql } = createText()
  const where = conditionsOf(queue, filters, { after: undefined, to }).map(toSql).join(' and ')
  const [row] = await queue.db.query<{ total: bigint }>({
    text: `select count(*) as total from (
             select 1 from approvals where ${where} limit ${COUNTED_MAX}) as counted`,
    values,
  })
  return Number(row?.total ?? 0n)
}

/** The request that this many others come before; undefined if there are fewer. */
async function findAt(
  queue: Queue,
  after: Place | undefined,
  skipped: number,
): Promise<Place | undefined> {
  const { values, place, toSql } = createText()
  const where = conditionsOf(queue, [], { after, to: undefined }).map(toSql).join(' and ')
  const [found] = await queue.db.query<Place>({
    text: `select id, expires_at::text as "expiresAt" from approvals where ${where}
           order by expires_at, id limit 1 offset ${place(skipped)}`,
    values,
  })
  return found
}

/**
 * A decision changes the expiry of the request that a page ended with, so its place is the expiry
 * that it was opened with.
 */
async function findPlace({ db, organizationId }: Queue, id: string): Promise<Place | undefined> {
  const [found] = await db.query<Place>({
    name: 'find-approval-place',
    text: `select id, (created_at + waits_ms * interval '1 millisecond')::text as "expiresAt"
           from approvals where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return found
}

function conditionsOf(
  { organizationId, now }: Queue,
  filters: readonly Condition[],
  { after, to }: Range,
): Condition[] {
  return [
    ['organization_id = ?', organizationId],
    [`status = 'pending' and expires_at > ?`, toIso(now)],
    ...placed('>', after),
    ...placed('<=', to),
    ...filters,
  ]
}

function placed(comparison: '>' | '<=', place: Place | undefined): Condition[] {
  if (place === undefined) return []
  const { id, expiresAt } = place
  return [[`(expires_at, id) ${comparison} (?::timestamptz, ?::uuid)`, expiresAt, id]]
}
