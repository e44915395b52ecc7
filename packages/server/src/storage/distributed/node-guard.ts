import type { Problem } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Queryable, Statement } from '../engine/queryable.ts'
import { isCrowded } from './crowd.ts'
import { readNodeMap } from './node-map.ts'
import { refusedFor } from './node-problem.ts'
import { isLate, type NodeState } from './node-state.ts'
import { createNodeUse, type NodeUse } from './node-use.ts'
import { watchNodes } from './node-watch.ts'
import { createNodes } from './nodes.ts'
import type { OrganizationNodes } from './organization-nodes.ts'
import type { Probe } from './probe.ts'
import { createReachable } from './reachable.ts'

/** Keeps a node that hangs from using up the connections of this process (ADR 65). */
export interface NodeGuard extends OrganizationNodes {
  /** The problem for a statement whose node does not answer. */
  refusal(statement: Statement): Problem | undefined
  /** Begins a use of a connection. `cut` ends that connection at once. */
  begin(cut: () => void): NodeUse
  stop(): void
}

interface GuardParts {
  readonly db: Queryable
  readonly probe: Probe
  readonly connectionsMax: number
  readonly log: Log
}

/** Nodes that are silent may use this share of the connections together. */
const SILENT_SHARE = 2 / 3

/**
 * A node that is silent for 250 ms while statements wait is late, and its organizations count as slow:
 * lanes and connection shares leave room for others. A late node is probed. If the probe fails, the node
 * is away: what runs there is cut, and new statements are refused at once until a probe succeeds.
 */
export async function openNodeGuard(parts: GuardParts): Promise<NodeGuard | undefined> {
  const { db, probe, connectionsMax, log } = parts
  const map = await readNodeMap(db)
  if (!map) return undefined
  const nodes = createNodes(db, map)
  const reachable = createReachable(db, nodes)
  const watch = watchNodes({ probe, nodes, log, whileAway: reachable.refresh })
  const usesMax = Math.max(1, Math.floor(connectionsMax * SILENT_SHARE))
  const refusal = (node: NodeState): Problem | undefined =>
    node.isAway || isCrowded(node, nodes.all(), usesMax) ? refusedFor(node.address) : undefined
  const useParts = { nodes, refusal, narrowed: reachable.narrowed, suspect: watch.suspect }
  return {
    isHeldUp(organizationId) {
      const node = nodes.ofOrganization(organizationId)
      return node !== undefined && (node.isAway || isLate(node, performance.now()))
    },
    of: (organizationId) =>
      nodes.all().length === 1 ? undefined : nodes.ofOrganization(organizationId),
    refusal(statement) {
      const node = nodes.ofStatement(statement)
      return node && refusal(node)
    },
    begin: (cut) => createNodeUse({ ...useParts, cut }),
    stop: watch.stop,
  }
}
