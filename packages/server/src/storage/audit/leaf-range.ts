import type { Instant } from '../../core/time/instant.ts'
import { CLOCK_WRONG_MS } from '../clock-gaps.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import type { LeafFilter } from './read-leaves.ts'

/** The leaves from index `begin` up to, but not including, `end`. */
export interface LeafRange {
  readonly begin: number
  readonly end: number
}

/** Each look divides a range by this many leaves, so three looks find one of four million. */
const PROBES = 128

/**
 * A range, among the first `size` leaves, that has all leaves of a time. No index has the times. But
 * leaves are in the order of commits, and a commit follows its time within seconds, so times ascend
 * with the index, except where the database's clock went back.
 */
export async function findLeafRange(
  db: Queryable,
  organizationId: string,
  { from, to }: Pick<LeafFilter, 'from' | 'to'>,
  size: number,
): Promise<LeafRange> {
  const [first, last] = await Promise.all([
    from === undefined ? undefined : findTurn(db, organizationId, from - CLOCK_WRONG_MS, size),
    to === undefined ? undefined : findTurn(db, organizationId, to + CLOCK_WRONG_MS, size),
  ])
  return { begin: first?.begin ?? 0, end: last?.end ?? size }
}

/**
 * A short range in which the leaves reach a time: the last leaf before the range is earlier, and the
 * first one after it is not.
 */
async function findTurn(
  db: Queryable,
  organizationId: string,
  time: Instant,
  size: number,
): Promise<LeafRange> {
  let range: LeafRange = { begin: 0, end: size }
  while (range.end - range.begin > PROBES) {
    let { begin, end } = range
    const probes = probesOf(range)
    const times = await readTimes(db, organizationId, probes)
    // A leaf that is missing counts as late, so that every look makes the range smaller.
    for (const probe of probes) {
      if ((times.get(probe) ?? time) >= time) {
        end = probe
        break
      }
      begin = probe + 1
    }
    range = { begin, end }
  }
  return range
}

function probesOf({ begin, end }: LeafRange): number[] {
  const step = Math.ceil((end - begin) / PROBES)
  const count = Math.ceil((end - begin) / step) - 1
  return Array.from({ length: count }, (_, place) => begin + (place + 1) * step)
}

async function readTimes(
  db: Queryable,
  organizationId: string,
  indexes: readonly number[],
): Promise<ReadonlyMap<number, Instant>> {
  const rows = await db.query<{ index: bigint; at: Instant }>({
    name: 'read-leaf-times',
    text: `select index, at from audit_leaves
           where organization_id = $1 and index = any($2::bigint[])`,
    values: [organizationId, plainArray(indexes)],
  })
  return new Map(rows.map(({ index, at }) => [Number(index), at]))
}
