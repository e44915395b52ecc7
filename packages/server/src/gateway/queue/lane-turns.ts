import { createNodeCounts } from '../../storage/distributed/node-counts.ts'
import type { OrganizationNodes } from '../../storage/distributed/organization-nodes.ts'
import { canBegin, type OrganizationQueue } from './organization-queue.ts'

/** How many batches may run at once; each of them uses a connection. */
export interface LaneNumbers {
  /** For organizations with normal speed. */
  readonly shared: number
  /** For slow organizations. */
  readonly own: number
  /** For one organization. */
  readonly perOrganization: number
}

/** The place of a running batch. */
export interface Lane {
  isOwn: boolean
  readonly node: object | undefined
}

/** Decides which organization is next, and on which lane. */
export interface LaneTurns<Job, Result> {
  /**
   * Must be called after each change to the queue. The queue keeps its place if it has one.
   * `lanesMax`: how many of its batches may run at once.
   */
  lineUp(queue: OrganizationQueue<Job, Result>, lanesMax: number): void
  /**
   * Takes a lane for the next organization and removes it from its turn; `lineUp` puts it at the
   * end.
   */
  next(): { readonly queue: OrganizationQueue<Job, Result>; readonly lane: Lane } | undefined
  /**
   * Moves the batch to a lane for slow organizations, if one is free, and frees its shared lane.
   */
  moveToOwn(lane: Lane): void
  free(lane: Lane): void
}

export function createLaneTurns<Job, Result>(
  lanes: LaneNumbers,
  nodes: OrganizationNodes | undefined,
): LaneTurns<Job, Result> {
  type Queue = OrganizationQueue<Job, Result>
  // Sets keep the order in which things were added.
  const fresh = new Set<Queue>()
  const further = new Set<Queue>()
  const slow = new Set<Queue>()
  const inUse = { shared: 0, own: 0 }
  const ofNodes = createNodeCounts(lanes.shared)

  function turnsFor(queue: Queue): Set<Queue> {
    if (isSlowBy(nodes, queue)) return slow
    return queue.running === 0 ? fresh : further
  }

  function choose(): { readonly queue: Queue; readonly isOwn: boolean } | undefined {
    const slowOne = firstOf(slow)
    if (slowOne && inUse.own < lanes.own) return { queue: slowOne, isOwn: true }
    if (inUse.shared >= lanes.shared) return undefined
    const isHalfFree = inUse.shared * 2 < lanes.shared
    const queue = nextIn(fresh) ?? nextIn(further) ?? (isHalfFree ? nextIn(slow) : undefined)
    return queue && { queue, isOwn: false }
  }

  const nodeOf = ({ organizationId }: Queue): object | undefined => nodes?.of(organizationId)

  function nextIn(turns: ReadonlySet<Queue>): Queue | undefined {
    for (const queue of turns) if (ofNodes.hasRoom(nodeOf(queue))) return queue
    return undefined
  }

  return {
    lineUp(queue, lanesMax) {
      const turns = canBegin(queue, lanesMax) ? turnsFor(queue) : undefined
      if (turns === queue.turns) return
      queue.turns?.delete(queue)
      queue.turns = turns?.add(queue)
    },
    next() {
      const chosen = choose()
      if (!chosen) return undefined
      const { queue, isOwn } = chosen
      queue.turns?.delete(queue)
      queue.turns = undefined
      inUse[isOwn ? 'own' : 'shared'] += 1
      const node = nodeOf(queue)
      if (!isOwn) ofNodes.add(node, 1)
      return { queue, lane: { isOwn, node } }
    },
    moveToOwn(lane) {
      if (lane.isOwn || inUse.own >= lanes.own) return
      lane.isOwn = true
      inUse.shared -= 1
      inUse.own += 1
      ofNodes.add(lane.node, -1)
    },
    free({ isOwn, node }) {
      inUse[isOwn ? 'own' : 'shared'] -= 1
      if (!isOwn) ofNodes.add(node, -1)
    },
  }
}

/** Its own batches, or those of other organizations on its node, make an organization slow. */
export function isSlowBy(
  nodes: OrganizationNodes | undefined,
  { isSlow, organizationId }: { readonly isSlow: boolean; readonly organizationId: string },
): boolean {
  return isSlow || nodes?.isHeldUp(organizationId) === true
}

function firstOf<Value>(values: ReadonlySet<Value>): Value | undefined {
  const [first] = values
  return first
}
