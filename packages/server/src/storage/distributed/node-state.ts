import type { NodeAddress } from './node-map.ts'
import { nameOf } from './node-problem.ts'

/** A transaction or query that waits for nodes, and how to end it at once. */
export interface Running {
  readonly beganAt: number
  cut(): void
}

/** What this process knows about a node. */
export interface NodeState {
  readonly address: NodeAddress
  /** The transactions and queries that need the node. */
  readonly running: Set<Running>
  /** Statements for one organization that the node has not answered. */
  unanswered: number
  /** Since when the node has been silent although a statement waits; undefined if none waits. */
  silentSince: number | undefined
  isAway: boolean
  /** When the last probe began; undefined if none has. */
  probedAt: number | undefined
  isProbed: boolean
}

/** Waiting this long for a lock is normal, as in connection-shares.ts. */
const LATE_AFTER_MS = 250

export function newNodeState(address: NodeAddress): NodeState {
  return {
    address,
    running: new Set(),
    unanswered: 0,
    silentSince: undefined,
    isAway: false,
    probedAt: undefined,
    isProbed: false,
  }
}

/** Whether statements wait and none has been answered for a while. */
export function isLate(node: NodeState, now: number): boolean {
  return isSilent(node, LATE_AFTER_MS, now)
}

/** Whether statements wait and none has been answered for this long. */
export function isSilent({ silentSince }: NodeState, forMs: number, now: number): boolean {
  return silentSince !== undefined && now - silentSince > forMs
}

export function noteAsked(node: NodeState): void {
  node.unanswered += 1
  node.silentSince ??= performance.now()
}

export function noteAnswered(node: NodeState): void {
  node.unanswered -= 1
  node.silentSince = node.unanswered > 0 ? performance.now() : undefined
}

/** The states of these nodes: those that are known already, and new ones. */
export function statesOf(
  addresses: readonly NodeAddress[],
  known: readonly NodeState[],
): NodeState[] {
  const byName = new Map(known.map((state) => [nameOf(state.address), state]))
  return addresses.map((address) => byName.get(nameOf(address)) ?? newNodeState(address))
}
