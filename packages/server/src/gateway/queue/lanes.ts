import type { OrganizationNodes } from '../../storage/distributed/organization-nodes.ts'
import type { Batcher } from './batcher.ts'
import { type AnswerJobs, type BatchRun, carryOut, overloaded, untilDone } from './carry-out.ts'
import { createLaneTurns, isSlowBy, type Lane, type LaneNumbers } from './lane-turns.ts'
import {
  append,
  endBatch,
  markLate,
  type OrganizationQueue,
  queueOf,
  takeBatch,
} from './organization-queue.ts'

/** A batch up to this long is normal (it may wait for a lock), and keeps its shared lane. */
const SLOW_AFTER_MS = 250
/** The limit over all organizations, as a multiple of the limit of one. */
const WAITING_FACTOR = 4

interface LanesOptions<Job, Result> extends BatchRun<Job, Result> {
  organizationOf(job: Job): string
  agentOf(job: Job): string
  /** Only a distributed store has nodes (ADR 65). */
  readonly nodes?: OrganizationNodes | undefined
  readonly lanes: LaneNumbers
  readonly batchSizeMax: number
  /** The limit for one organization. */
  readonly waitingMax: number
}

interface Batch<Job, Result> {
  readonly queue: OrganizationQueue<Job, Result>
  readonly lane: Lane
  readonly taken: ReturnType<typeof takeBatch<Job, Result>>
  readonly began: number
  isLate: boolean
}

/**
 * Forms batches of one organization each (ADR 24). Organizations take turns, so that none waits for
 * more than one batch of each lane, however much the others have sent. An organization that is
 * alone may use all lanes of its limit.
 *
 * A batch that takes long (for example because it waits for a lock) moves to a lane for slow
 * organizations and frees its shared lane. Its organization has a single lane until one of its
 * batches is fast again. If the lanes for slow organizations are all in use, these organizations
 * may use half of the shared ones: when the database itself is slow, all organizations are slow,
 * and all still take turns.
 */
export function createLanes<Job, Result>(options: LanesOptions<Job, Result>): Batcher<Job, Result> {
  type Queue = OrganizationQueue<Job, Result>
  const { organizationOf, agentOf, nodes, lanes, batchSizeMax, waitingMax } = options
  const gathering = { max: options.gatheringMax ?? 0, onGivenUp: goOn }
  const queues = new Map<string, Queue>()
  const turns = createLaneTurns<Job, Result>(lanes, nodes)
  const underWay = new Set<Batch<Job, Result>>()
  /** Contains each run until its jobs are answered. */
  const runs = new Set<Promise<void>>()
  let waiting = 0
  let isBeginning = false

  /** A slow organization that is alone takes no lane from others, so it may use all of its lanes. */
  function lanesOf(queue: Queue): number {
    const isAlone = () => waiting === queue.entries.length && areAllOf(queue, underWay)
    return !isSlowBy(nodes, queue) || isAlone() ? lanes.perOrganization : 1
  }

  const lineUp = (queue: Queue): void => turns.lineUp(queue, lanesOf(queue))

  function begin(): void {
    isBeginning = false
    for (let turn = turns.next(); turn; turn = turns.next()) {
      const { queue, lane } = turn
      const taken = takeBatch(queue, batchSizeMax)
      waiting -= taken.length
      const batch = { queue, lane, taken, began: performance.now(), isLate: false }
      underWay.add(batch)
      keepUntilDone(runs, run(batch))
      lineUp(queue)
    }
  }

  async function run(batch: Batch<Job, Result>): Promise<void> {
    const timer = setTimeout(takesLong, SLOW_AFTER_MS, batch)
    const answer = await carryOut(options, batch.taken)
    clearTimeout(timer)
    end(batch)
    await afterwards(batch.queue, answer, underWay.size > 0)
  }

  function goOn(queue: Queue): void {
    lineUp(queue)
    begin()
  }

  function takesLong(batch: Batch<Job, Result>): void {
    batch.isLate = true
    markLate(batch.queue)
    turns.moveToOwn(batch.lane)
    goOn(batch.queue)
  }

  function end(batch: Batch<Job, Result>): void {
    underWay.delete(batch)
    turns.free(batch.lane)
    endBatch(batch.queue, batch)
    for (const other of underWay) if (other.isLate) turns.moveToOwn(other.lane)
    goOn(batch.queue)
  }

  return {
    submit(job) {
      const queue = queueOf(queues, organizationOf(job), gathering)
      const isFull = queue.entries.length >= waitingMax || waiting >= waitingMax * WAITING_FACTOR
      if (isFull) return Promise.reject(overloaded())
      return new Promise((resolve, reject) => {
        append(queue, { job, agentId: agentOf(job), resolve, reject })
        waiting += 1
        lineUp(queue)
        // Most jobs arrive while a batch of their organization runs; the next one starts at its end.
        if (isBeginning || queue.turns === undefined) return
        isBeginning = true
        // Starts after the current turn, so that requests parsed in the same turn share a batch.
        void Promise.resolve().then(begin)
      })
    },
    get waiting() {
      return waiting
    },
    drain: () => untilDone(runs, () => waiting > 0),
  }
}

/**
 * This process needs longer to write answers than the database needs to find the mandates of the
 * next batch. So the next batch is sent first; it has been sent when this function runs. Without a
 * next batch, as with a single client, the answers do not wait.
 */
function afterwards<Job, Result>(
  { gathering }: OrganizationQueue<Job, Result>,
  answer: AnswerJobs,
  hasNext: boolean,
): Promise<void> | undefined {
  const answerAll = (): void => {
    answer()
    gathering.answered()
  }
  if (!hasNext) return void answerAll()
  return new Promise((resolve) => {
    setImmediate(() => {
      answerAll()
      resolve()
    })
  })
}

function keepUntilDone(runs: Set<Promise<void>>, run: Promise<void>): void {
  const kept = run.then(() => void runs.delete(kept))
  runs.add(kept)
}

function areAllOf<Job, Result>(
  queue: OrganizationQueue<Job, Result>,
  batches: Iterable<Batch<Job, Result>>,
): boolean {
  return [...batches].every((batch) => batch.queue === queue)
}
