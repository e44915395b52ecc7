/** A node of the drawing. Nodes on the way from the root to the leaf are `isOnPath`. */
export interface TreeNode {
  readonly x: number
  readonly y: number
  readonly isOnPath: boolean
  readonly label?: 'root' | 'leaf'
}

export interface TreeEdge {
  readonly from: TreeNode
  readonly to: TreeNode
}

const LEVELS_MAX = 3
const STEP_Y = 38
const REACH = [100, 50, 25]

/**
 * The first turns from the root to the leaf, and the leaf. The log is deeper than the drawing, but
 * each turn is the real one: the left half has the largest power of two below the whole (RFC 6962).
 */
export function treeShape(index: number, size: number) {
  const turns = turnsTo(index, size).slice(0, LEVELS_MAX)
  const root: TreeNode = {
    x: 220,
    y: 16,
    isOnPath: true,
    label: turns.length === 0 ? 'leaf' : 'root',
  }
  const nodes: TreeNode[] = [root]
  const edges: TreeEdge[] = []
  let parent = root
  for (const [level, turn] of turns.entries()) {
    const isLast = level === turns.length - 1
    const reach = REACH[level] ?? 25
    const [on, off] = turn === 'left' ? [-reach, reach] : [reach, -reach]
    const y = parent.y + STEP_Y
    const next: TreeNode = {
      ...{ x: parent.x + on, y, isOnPath: true },
      ...(isLast ? { label: 'leaf' as const } : {}),
    }
    const sibling: TreeNode = { x: parent.x + off, y, isOnPath: false }
    nodes.push(sibling, next)
    edges.push({ from: parent, to: sibling }, { from: parent, to: next })
    parent = next
  }
  return { nodes, edges, leaf: parent, height: 32 + turns.length * STEP_Y }
}

export function turnsTo(index: number, size: number): readonly ('left' | 'right')[] {
  const turns: ('left' | 'right')[] = []
  let [begin, end] = [0, size]
  while (end - begin > 1 && turns.length < 60) {
    let half = 1
    while (half * 2 < end - begin) half *= 2
    const isLeft = index < begin + half
    turns.push(isLeft ? 'left' : 'right')
    ;[begin, end] = isLeft ? [begin, begin + half] : [begin + half, end]
  }
  return turns
}
