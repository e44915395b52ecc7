import { canBegin, type OrganizationQueue } from './organization-queue.ts'

/** How many batches may run at once; each of them uses a connection. */
export interface LaneNumbers {
  /** Of organizations that go well. */
  readonly shared: number
  /** Of organizations that are slow. */
  readonly own: number
  /** Of one organization. */
  readonly perOrganization: number
}

/** The place of a batch under way. */
export interface Lane {
  isOwn: boolean
}

/** Whose turn it is, and on which lane. */
export interface LaneTurns<Job, Result> {
  /**
   * To be called whenever something about the queue has changed. It keeps its place if it has one.
   * `lanesMax`: how many batches of it may be under way.
   */
  lineUp(queue: OrganizationQueue<Job, Result>, lanesMax: number): void
  /** Takes a lane for the organization whose turn it is. It goes to the end of those who wait. */
  next(): { readonly queue: OrganizationQueue<Job, Result>; readonly lane: Lane } | undefined
  /** Leaves a shared lane to the others, if there is room among the slow ones. */
  moveToOwn(lane: Lane): void
  free(lane: Lane): void
}

export function createLaneTurns<Job, Result>(lanes: LaneNumbers): LaneTurns<Job, Result> {
  type Queue = OrganizationQueue<Job, Result>
  // Sets keep the order in which things were added.
  const fresh = new Set<Queue>()
  const further = new Set<Queue>()
  const slow = new Set<Queue>()
  const inUse = { shared: 0, own: 0 }

  function turnsFor({ isSlow, running }: Queue): Set<Queue> {
    if (isSlow) return slow
    return running === 0 ? fresh : further
  }

  function choose(): { readonly queue: Queue; readonly isOwn: boolean } | undefined {
    const slowOne = firstOf(slow)
    if (slowOne && inUse.own < lanes.own) return { queue: slowOne, isOwn: true }
    if (inUse.shared >= lanes.shared) return undefined
    const isHalfFree = inUse.shared * 2 < lanes.shared
    const queue = firstOf(fresh) ?? firstOf(further) ?? (isHalfFree ? slowOne : undefined)
    return queue && { queue, isOwn: false }
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
      return { queue, lane: { isOwn } }
    },
    moveToOwn(lane) {
      if (lane.isOwn || inUse.own >= lanes.own) return
      lane.isOwn = true
      inUse.shared -= 1
      inUse.own += 1
    },
    free({ isOwn }) {
      inUse[isOwn ? 'own' : 'shared'] -= 1
    },
  }
}

function firstOf<Value>(values: ReadonlySet<Value>): Value | undefined {
  const [first] = values
  return first
}
