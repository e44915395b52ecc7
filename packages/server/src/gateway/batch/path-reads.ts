import type { Tx } from '../../storage/engine/database.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import type { PathPass, PathReader, Prepared, Reading } from '../submission.ts'

/**
 * A submission after its path's read: ready to be judged, or with the reason why it is not judged.
 */
export type PreparedSubmission = QueuedSubmission | Exclude<Prepared, { readonly spend: unknown }>

/** Returns each submission in the form in which it is judged. Called in the order of judging. */
export type Prepare = (submission: QueuedSubmission) => PreparedSubmission

/** The facts that paths have read for the submissions of a group. */
export interface PathReads {
  /** Starts a judging pass over the group; there may be several. */
  begin(): Prepare
  /** The submissions, each prepared as if no other submission of the group came before it. */
  readonly alone: readonly QueuedSubmission[]
  /** The transactions of submissions that were decided before. */
  readonly decidedIds: readonly string[]
}

/**
 * Sends the paths' reads for their submissions, one read per reader. The caller has sent the locks
 * before. If no submission has a read, as in nearly all groups, nothing is sent.
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
