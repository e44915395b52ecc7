import type { Queryable } from '../engine/database.ts'
import { countAll, type Page, type PageRequest, pageOfIds } from '../page.ts'
import type { ListQuery } from '../page-statements.ts'
import { type DeliveryRow, findDeliveries } from './deliveries.ts'
import { type DeliveryFilter, queriesOf } from './delivery-queries.ts'

/**
 * Lists deliveries, newest first. Those that were tried and those that were not are in different
 * tables. Each table is read in its own order, and both are merged. Only tests pass `searchedMax`.
 */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  filter: DeliveryFilter,
  { limit, offset, after }: PageRequest,
  searchedMax?: number,
): Promise<Page<DeliveryRow>> {
  const { listed, counted } = await queriesOf(db, organizationId, filter)
  const bounded = (one: ListQuery) => (searchedMax === undefined ? one : { ...one, searchedMax })
  const request = { limit: offset + limit, after }
  const { ids, end, isFull } = await readIds(db, listed.map(bounded), request)
  const shown = ids.slice(offset, offset + limit)
  const hasMore = isFull || ids.length > offset + limit || end !== undefined
  const isFirst = !hasMore && offset === 0 && after === undefined
  return {
    rows: await findDeliveries(db, organizationId, shown),
    ...(isFirst
      ? { total: ids.length, totalIsExact: true }
      : await countAll(db, counted.map(bounded))),
    limit,
    offset,
    hasMore,
    searchedTo: shown.length < limit ? end : shown.at(-1),
  }
}

interface FoundIds {
  /** In the order of the list. */
  readonly ids: readonly string[]
  /** Where the search ended. Older deliveries were not looked at in both tables. */
  readonly end: string | undefined
  /** Whether a table has more matching rows than were read. */
  readonly isFull: boolean
}

async function readIds(
  db: Queryable,
  queries: readonly ListQuery[],
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<FoundIds> {
  const found = new Set<string>()
  let end: string | undefined
  let isFull = false
  for (const query of queries) {
    const request = { limit, offset: 0, after }
    const page = await pageOfIds(db, request, { ...query, isCounted: false })
    for (const id of page.ids) found.add(id)
    const { searchedTo } = page
    isFull ||= page.hasMore && searchedTo === undefined
    if (searchedTo !== undefined && (end === undefined || searchedTo > end)) end = searchedTo
  }
  const last = end
  const ids = [...found].filter((id) => last === undefined || id >= last)
  return { ids: ids.sort().reverse(), end, isFull }
}
