import type { Tx } from '../../storage/engine/database.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import type { PathPass, PathReader, Prepared, Reading } from '../submission.ts'

/** How a submission is judged: with what its path has read, or not at all. */
export type PreparedSubmission = QueuedSubmission | Exclude<Prepared, { readonly spend: unknown }>

/** Gives each submission as it is judged, in the order of judging. */
export type Prepare = (submission: QueuedSubmission) => PreparedSubmission

/** What paths have read for the submissions of a group. */
export interface PathReads {
  /** Begins to judge the group, which may happen more than once. */
  begin(): Prepare
  /** The submissions, each as it is judged if nothing of the group comes before it. */
  readonly alone: readonly QueuedSubmission[]
  /** The transactions that have decided submissions of the group before. */
  readonly decidedIds: readonly string[]
}

/**
 * Sends what paths read for their submissions, one read for all that have the same reader. The caller
 * has sent the locks before. Where no submission brings one, as in nearly all groups, nothing is sent.
 */
export function readForPaths(
  tx: Tx,
  organizationId: string,
  submissions: readonly QueuedSubmission[],
): PathReads | Promise<PathReads> {
  const readings = submissions.flatMap(({ reading }) => reading ?? [])
  if (readings.length === 0) return asTheyAre(submissions)
  return readAll(tx, organizationId, readings).then((begin) => collect(submissions, begin))
}

function asTheyAre(submissions: readonly QueuedSubmission[]): PathReads {
  return { begin: () => asItIs, alone: submissions, decidedIds: NO_IDS }
}

const NO_IDS: readonly string[] = []
const asItIs: Prepare = (submission) => submission

type BeginPasses = () => (reader: PathReader) => PathPass | undefined

async function readAll(
  tx: Tx,
  organizationId: string,
  readings: readonly Reading[],
): Promise<BeginPasses> {
  const readers = [...new Set(readings.map(({ reader }) => reader))]
  const found = await Promise.all(
    readers.map((reader) => {
      const own = readings.filter((reading) => reading.reader === reader)
      const abouts = own.map(({ about }) => about)
      return reader.read(tx, organizationId, abouts)
    }),
  )
  return () => {
    const passes = new Map(readers.map((reader, at) => [reader, found[at]?.begin()]))
    return (reader) => passes.get(reader)
  }
}

function collect(submissions: readonly QueuedSubmission[], beginPasses: BeginPasses): PathReads {
  const begin = (): Prepare => {
    const passOf = beginPasses()
    return (submission) => {
      const { reading } = submission
      if (!reading) return submission
      const prepared = passOf(reading.reader)?.prepare(reading.about)
      if (!prepared) throw new Error('Nothing was read for a submission.')
      return 'spend' in prepared ? { ...submission, ...prepared } : prepared
    }
  }
  const prepared = submissions.map((submission) => begin()(submission))
  return {
    begin,
    alone: prepared.map((one, at) => ('spend' in one ? one : submissions[at])).flatMap(ifAny),
    decidedIds: prepared.flatMap((one) => ('decidedAs' in one ? one.decidedAs : [])),
  }
}

function ifAny<T>(one: T | undefined): T[] {
  return one === undefined ? [] : [one]
}
