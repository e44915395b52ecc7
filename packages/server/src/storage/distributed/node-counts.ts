/** The organizations of one node may use this share of lanes or connections. */
const SHARE_OF_NODE = 3 / 4
/**
 * Fewer are not divided: slow organizations may use half of them, and those of the same node that are
 * not slow need a further one.
 */
const DIVIDED_MIN = 4

/** Counts how many shared lanes or connections the organizations of each node use. */
export interface NodeCounts {
  /** Whether the organizations of the node may use one more. Undefined is no node, and has no bound. */
  hasRoom(node: object | undefined): boolean
  add(node: object | undefined, change: 1 | -1): void
}

/**
 * A node that becomes slow keeps what its organizations use, and no answer says so in time. So they never
 * use all of it, and organizations of other nodes always find the rest (ADR 65).
 */
export function createNodeCounts(shared: number): NodeCounts {
  const most = shared < DIVIDED_MIN ? shared : Math.floor(shared * SHARE_OF_NODE)
  const counts = new Map<object, number>()
  return {
    hasRoom: (node) => node === undefined || (counts.get(node) ?? 0) < most,
    add(node, change) {
      if (node === undefined) return
      const count = (counts.get(node) ?? 0) + change
      if (count > 0) counts.set(node, count)
      else counts.delete(node)
    },
  }
}
