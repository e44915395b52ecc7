import { isSilent, type NodeState } from './node-state.ts'

/**
 * A busy node answers one of its statements within this time. A node that is only late must not be
 * refused anything because another one hangs.
 */
const SILENT_AFTER_MS = 1_000

/**
 * Whether the node is silent, and all silent nodes together use this many connections. A connection
 * whose statement needs several nodes counts once.
 */
export function isCrowded(
  node: NodeState,
  nodes: readonly NodeState[],
  usesMax: number,
  now = performance.now(),
): boolean {
  if (!isSilent(node, SILENT_AFTER_MS, now)) return false
  const uses = new Set<unknown>()
  for (const one of nodes) {
    if (!isSilent(one, SILENT_AFTER_MS, now)) continue
    for (const running of one.running) uses.add(running)
  }
  return uses.size >= usesMax
}
