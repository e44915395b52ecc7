import type { Queryable, Statement } from '../engine/queryable.ts'
import { type NodeMap, readNodeMap } from './node-map.ts'
import { type NodeState, statesOf } from './node-state.ts'
import { reachOf } from './reach.ts'

/** The nodes of a distributed store, as this process last read them. */
export interface Nodes {
  all(): readonly NodeState[]
  /** The node of an organization; undefined if it is unknown. */
  ofOrganization(organizationId: string): NodeState | undefined
  /** The node that carries out the statement; undefined if it needs several, or only the coordinator. */
  ofStatement(statement: Statement): NodeState | undefined
  /** Reads the nodes again, if the last reading is old. */
  refresh(now: number): void
}

/** Shards move rarely. Until the next reading, their organizations count for their former node. */
const READ_EVERY_MS = 5_000

export function createNodes(db: Queryable, first: NodeMap): Nodes {
  let map = first
  let states = statesOf(map.nodes, [])
  let readAt = performance.now()
  let isReading = false

  const ofOrganization = (organizationId: string): NodeState | undefined =>
    states[map.indexOf(organizationId)]

  async function readAgain(): Promise<void> {
    const next = await readNodeMap(db)
    if (!next) return
    states = statesOf(next.nodes, states)
    map = next
  }

  return {
    all: () => states,
    ofOrganization,
    ofStatement(statement) {
      if (reachOf(statement) !== 'one') return undefined
      const [organizationId] = statement.values ?? []
      return typeof organizationId === 'string' ? ofOrganization(organizationId) : undefined
    },
    refresh(now) {
      if (isReading || now - readAt < READ_EVERY_MS) return
      isReading = true
      const done = (): void => {
        readAt = performance.now()
        isReading = false
      }
      // After a failure, the next turn tries again.
      void readAgain().then(done, done)
    },
  }
}
