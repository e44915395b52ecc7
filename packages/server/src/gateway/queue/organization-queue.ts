import type { Waiting } from './carry-out.ts'
import { createGathering, type Gathering } from './gathering.ts'

/** With fewer free jobs than this, a further lane would only make batches smaller. */
const WAITING_PER_LANE = 200
/** Idle queues are kept, because they remember which organizations are slow, up to this number. */
const QUEUES_KEPT_MAX = 10_000

interface Entry<Job, Result> extends Waiting<Job, Result> {
  readonly agentId: string
}

/**
 * The waiting jobs of one organization, in the order of arrival. A batch holds the agents of its
 * jobs until it has ended, and other jobs of these agents wait. So two batches of one agent never
 * run at once and never overtake each other.
 */
export interface OrganizationQueue<Job, Result> {
  readonly organizationId: string
  entries: Entry<Job, Result>[]
  readonly heldAgents: Set<string>
  /** The number of entries whose agents no batch holds. */
  free: number
  /** The number of running batches, and how many of them take long. */
  running: number
  late: number
  /** Whether its last batch took long. */
  isSlow: boolean
  /** The set in which it waits for its turn. */
  turns: Set<OrganizationQueue<Job, Result>> | undefined
  readonly gathering: Gathering
}

interface GatheringOptions<Job, Result> {
  readonly max: number
  /** The next batch of this queue no longer waits for callers. */
  onGivenUp(queue: OrganizationQueue<Job, Result>): void
}

/** Finds or creates the queue of an organization. */
export function queueOf<Job, Result>(
  queues: Map<string, OrganizationQueue<Job, Result>>,
  organizationId: string,
  { max, onGivenUp }: GatheringOptions<Job, Result>,
): OrganizationQueue<Job, Result> {
  const known = queues.get(organizationId)
  if (known) return known
  if (queues.size >= QUEUES_KEPT_MAX) forgetIdle(queues)
  const queue: OrganizationQueue<Job, Result> = {
    organizationId,
    entries: [],
    heldAgents: new Set(),
    free: 0,
    running: 0,
    late: 0,
    isSlow: false,
    turns: undefined,
    gathering: createGathering(max, () => onGivenUp(queue)),
  }
  queues.set(organizationId, queue)
  return queue
}

/** Forgets the oldest idle queue. */
function forgetIdle<Job, Result>(queues: Map<string, OrganizationQueue<Job, Result>>): void {
  for (const { organizationId, entries, running } of queues.values()) {
    if (entries.length > 0 || running > 0) continue
    queues.delete(organizationId)
    return
  }
}

export function append<Job, Result>(
  queue: OrganizationQueue<Job, Result>,
  entry: Entry<Job, Result>,
): void {
  queue.entries.push(entry)
  queue.gathering.note()
  if (!queue.heldAgents.has(entry.agentId)) queue.free += 1
}

/** Whether a batch can start, if the organization may have this many running. */
export function canBegin<Job, Result>(
  { free, running, gathering }: OrganizationQueue<Job, Result>,
  lanes: number,
): boolean {
  if (gathering.isOn()) return false
  return running === 0 ? free > 0 : running < lanes && free >= WAITING_PER_LANE
}

/** Takes the next batch: the jobs that have waited longest and whose agents no batch holds. */
export function takeBatch<Job, Result>(
  queue: OrganizationQueue<Job, Result>,
  sizeMax: number,
): readonly Entry<Job, Result>[] {
  const { heldAgents } = queue
  const taken: Entry<Job, Result>[] = []
  const left: Entry<Job, Result>[] = []
  for (const entry of queue.entries) {
    const isNext = taken.length < sizeMax && !heldAgents.has(entry.agentId)
    ;(isNext ? taken : left).push(entry)
  }
  for (const { agentId } of taken) heldAgents.add(agentId)
  queue.entries = left
  queue.running += 1
  queue.free = countFree(queue)
  return taken
}

/** Marks that one of its batches takes long. */
export function markLate<Job, Result>(queue: OrganizationQueue<Job, Result>): void {
  queue.isSlow = true
  queue.late += 1
}

interface EndedBatch<Job, Result> {
  readonly taken: readonly Entry<Job, Result>[]
  /** On the process's monotonic clock. */
  readonly began: number
  readonly isLate: boolean
}

/** From now on the next batch may wait for the callers of this one. */
export function endBatch<Job, Result>(
  queue: OrganizationQueue<Job, Result>,
  { taken, began, isLate }: EndedBatch<Job, Result>,
): void {
  // While a further batch runs, so many jobs wait that a larger batch would save nothing.
  const waiting = queue.running === 1 ? queue.entries.length : Number.POSITIVE_INFINITY
  queue.gathering.begin({ size: taken.length, ms: performance.now() - began }, waiting)
  for (const { agentId } of taken) queue.heldAgents.delete(agentId)
  queue.running -= 1
  queue.free = countFree(queue)
  if (isLate) queue.late -= 1
  if (queue.late === 0) queue.isSlow = isLate
}

function countFree<Job, Result>({ entries, heldAgents }: OrganizationQueue<Job, Result>): number {
  let free = 0
  for (const { agentId } of entries) if (!heldAgents.has(agentId)) free += 1
  return free
}
