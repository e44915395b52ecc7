import { differingColumns, type RowState } from '../../core/audit/row-state.ts'
import {
  isUse,
  listThings,
  TABLES,
  type Thing,
  type ThingRow,
} from '../../storage/reconcile/things.ts'
import { compareVersions } from './compare-versions.ts'
import { isExplained, isResetLink } from './explained.ts'
import { FIRST_ID, pagesOf } from './pages.ts'
import { atMoment, type Moment, type Place } from './place.ts'

const ROWS_AT_ONCE = 100

/** A page ends early rather than keep its snapshot open for longer. */
const PAGE_MS = 2_500

/** Compares each row that people can change with its last change. Returns the first difference. */
export async function compareThings(place: Place): Promise<string | undefined> {
  for (const thing of Object.keys(TABLES) as Thing[]) {
    const read = (after: string) =>
      atMoment(place, (moment) => readPage(place, moment, thing, after))
    // A page that has ended early is not the last one: only an empty page is.
    const paging = { first: FIRST_ID, size: 1 }
    for await (const page of pagesOf(read, ({ id }) => id, paging)) {
      const difference = await findDifference(place, page)
      if (difference !== undefined) return difference
      place.counts.rows += page.length
      place.tell()
    }
  }
  return undefined
}

async function findDifference(
  place: Place,
  page: readonly Compared[],
): Promise<string | undefined> {
  const wrong = page.find(({ difference }) => difference !== undefined)
  if (wrong) return wrong.difference
  for (const { mandate } of page) {
    const difference = mandate && (await compareVersions(place, mandate))
    if (difference !== undefined) return difference
  }
  return undefined
}

interface Compared {
  readonly id: string
  readonly difference?: string | undefined
  /** A mandate whose versions are compared next, in snapshots of their own. */
  readonly mandate?: ThingRow | undefined
}

async function readPage(
  place: Place,
  moment: Moment,
  thing: Thing,
  after: string,
): Promise<Compared[]> {
  const rows = await listThings(moment.tx, place.organizationId, thing, after, ROWS_AT_ONCE)
  const page: Compared[] = []
  const until = performance.now() + PAGE_MS
  for (const row of rows) {
    page.push({ id: row.id, ...(await compareOne(place, moment, thing, row)) })
    if (performance.now() > until) break
  }
  return page
}

async function compareOne(
  place: Place,
  moment: Moment,
  thing: Thing,
  thingRow: ThingRow,
): Promise<Omit<Compared, 'id'>> {
  const { counts, organizationId } = place
  const { subject, state, salt, isNamed, isKept } = thingRow
  if (moment.unsealed.has(subject)) {
    counts.unsealed += 1
    return {}
  }
  if (!isNamed && !moment.log.isLate && !(await isReset(place, moment, thing, thingRow))) {
    const difference = `The row of ${subject} in ${TABLES[thing]} has no leaf: no recorded change created it.`
    return { difference }
  }
  if (state === null || salt === null) {
    counts[isKept === false ? 'pruned' : 'older'] += 1
    return {}
  }
  const difference = await findChanged(place, moment, thing, thingRow, { state, salt })
  if (difference !== undefined) return { difference }
  if (thing === 'approval' && !(await isUse(moment.tx, organizationId, thingRow.id))) {
    return {
      difference: `approvals.used_by or used_at of ${subject} does not name a spend that was approved with it.`,
    }
  }
  return thing === 'mandate' ? { mandate: thingRow } : {}
}

/** The change that created a password reset link names the member, not the link. */
async function isReset(
  { organizationId }: Place,
  { tx, log }: Moment,
  thing: Thing,
  { row }: ThingRow,
): Promise<boolean> {
  const ends = { tx, organizationId, unsealedAfter: log.lastNumber }
  return thing === 'invitation' && isResetLink(ends, row)
}

/**
 * Returns the first column whose difference nothing explains. Counts a row whose difference an
 * unsealed change explains.
 */
async function findChanged(
  { organizationId, counts }: Place,
  { tx, log }: Moment,
  thing: Thing,
  thingRow: ThingRow,
  { state, salt }: { readonly state: RowState; readonly salt: Buffer },
): Promise<string | undefined> {
  const { subject, index } = thingRow
  const row = thing === 'approval' ? asAnswered(thingRow.row) : thingRow.row
  const explains = (column: string, unsealedAfter: bigint | null) =>
    isExplained({ tx, organizationId, unsealedAfter }, thing, column, thingRow)
  let isUnsealed = false
  for (const column of differingColumns(state, row, salt)) {
    if (await explains(column, null)) continue
    isUnsealed = await explains(column, log.lastNumber)
    if (!isUnsealed) {
      return `${TABLES[thing]}.${column} of ${subject} differs from the state after its last change, which is leaf ${index}.`
    }
  }
  if (isUnsealed) counts.unsealed += 1
  return undefined
}

/** A used approval compares as `approved`: the spend that used it has a leaf of its own. */
function asAnswered(row: ThingRow['row']): ThingRow['row'] {
  return row['status'] === 'used' ? { ...row, status: 'approved' } : row
}
