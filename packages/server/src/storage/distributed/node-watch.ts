import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { nameOf } from './node-problem.ts'
import { isLate, type NodeState } from './node-state.ts'
import type { Nodes } from './nodes.ts'
import type { Probe } from './probe.ts'

/** Finds out which nodes are away. */
export interface NodeWatch {
  /** A statement failed because of this node: it is probed now, unless it just was. */
  suspect(node: NodeState): void
  stop(): void
}

interface WatchParts {
  readonly probe: Probe
  readonly nodes: Nodes
  readonly log: Log
  /** Called while a node is away. */
  whileAway(): void
}

const TICK_MS = 250
const PROBE_EVERY_MS = 1_000
/** A use this old makes its nodes be probed: it may be a list over all organizations, or a rollback. */
const OLD_AFTER_MS = 1_000

/**
 * Probes nodes that are late, and those that are away. A probe that fails makes the node away, and its
 * running statements are cut: a worker that hangs would keep them for minutes.
 */
export function watchNodes(parts: WatchParts): NodeWatch {
  const { nodes, log, whileAway } = parts

  async function probe(node: NodeState): Promise<void> {
    node.isProbed = true
    node.probedAt = performance.now()
    try {
      const isThere = await parts.probe(node.address)
      if (isThere === node.isAway) (isThere ? comeBack : goAway)(node)
    } catch {
      // The coordinator did not answer, which says nothing about the node.
    } finally {
      node.isProbed = false
    }
  }

  function goAway(node: NodeState): void {
    node.isAway = true
    logEvent(log, 'storage.node_away', { node: nameOf(node.address), cut: node.running.size })
    for (const running of [...node.running]) running.cut()
    whileAway()
  }

  function comeBack(node: NodeState): void {
    node.isAway = false
    logEvent(log, 'storage.node_back', { node: nameOf(node.address) })
  }

  function suspect(node: NodeState): void {
    const { probedAt, isProbed } = node
    const isRecent = probedAt !== undefined && performance.now() - probedAt < PROBE_EVERY_MS
    if (!isProbed && !isRecent) void probe(node)
  }

  function tick(): void {
    const now = performance.now()
    for (const node of nodes.all()) {
      const [oldest] = node.running
      const isOld = oldest !== undefined && now - oldest.beganAt > OLD_AFTER_MS
      if (node.isAway || isOld || isLate(node, now)) suspect(node)
    }
    if (nodes.all().some(({ isAway }) => isAway)) whileAway()
    nodes.refresh(now)
  }

  const timer = setInterval(tick, TICK_MS)
  timer.unref()
  return { suspect, stop: () => clearInterval(timer) }
}
