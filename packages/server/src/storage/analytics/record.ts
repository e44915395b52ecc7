import type { Queryable } from '../engine/database.ts'

/** Where a page of the record ends. */
export interface RecordPage {
  readonly last: string
  readonly size: bigint
}

/** The next transactions after an id and before another; undefined if there are none. */
export async function findRecordPage(
  db: Queryable,
  organizationId: string,
  after: string,
  before: string,
  limit: number,
): Promise<RecordPage | undefined> {
  const [page] = await db.query<RecordPage>({
    name: 'find-record-page',
    text: `
      select id as last, place as size from (
        select id, row_number() over (order by id) as place from transactions
        where organization_id = $1 and id > $2 and id < $3 order by id limit $4
      ) as page order by place desc limit 1`,
    values: [organizationId, after, before, limit],
  })
  return page
}
