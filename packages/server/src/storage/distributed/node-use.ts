import type { Problem } from '../../base/errors.ts'
import type { Statement } from '../engine/queryable.ts'
import { lostWith } from './node-problem.ts'
import { type NodeState, noteAnswered, noteAsked, type Running } from './node-state.ts'
import type { Nodes } from './nodes.ts'
import { reachOf } from './reach.ts'

/** What one transaction or query needs of the nodes. */
export interface NodeUse {
  /**
   * Sends a statement, and notes its answer. Throws a Problem at once, without sending it, if its node is
   * away: the transaction must then be rolled back.
   */
  watch<Answer>(
    statement: Statement,
    send: (statement: Statement) => Promise<Answer>,
  ): Promise<Answer>
  /** The error for the caller: a node that failed is not a failure of the whole database. */
  explain(error: unknown): unknown
  end(): void
}

export interface UseParts {
  readonly nodes: Nodes
  /** The problem for a statement that is not sent. */
  refusal(node: NodeState): Problem | undefined
  /** The list for the organizations whose nodes answer, while a node is away. */
  narrowed(statement: Statement): Statement
  suspect(node: NodeState): void
  /** Ends the connection at once. */
  cut(): void
}

export function createNodeUse(parts: UseParts): NodeUse {
  const { nodes, refusal, narrowed, suspect, cut } = parts
  const needed = new Set<NodeState>()
  let isCut = false
  const running: Running = {
    beganAt: performance.now(),
    cut() {
      isCut = true
      cut()
    },
  }

  /** The nodes whose answer the statement waits for. */
  function ask(statement: Statement): readonly NodeState[] {
    const node = nodes.ofStatement(statement)
    if (node) return [admitted(node)]
    // A commit names no organization; it waits for the nodes of the statements before it.
    if (reachOf(statement) !== 'all') return needed.size === 0 ? [] : [...needed]
    for (const other of nodes.all().filter(({ isAway }) => !isAway)) need(other)
    return []
  }

  function admitted(node: NodeState): NodeState {
    const problem = refusal(node)
    if (problem) throw problem
    need(node)
    return node
  }

  function need(node: NodeState): void {
    needed.add(node)
    node.running.add(running)
  }

  return {
    watch(statement, send) {
      const asked = ask(statement)
      for (const node of asked) noteAsked(node)
      const answered = (): void => {
        for (const node of asked) noteAnswered(node)
      }
      const answer = send(narrowed(statement))
      answer.then(answered, answered)
      return answer
    },
    explain(error) {
      if (isCut) return lostWith(error)
      if (!isFailureOfNode(error)) return error
      for (const node of needed) suspect(node)
      return lostWith(error)
    },
    end() {
      for (const node of needed) node.running.delete(running)
    },
  }
}

/** The coordinator's words for a worker that it cannot reach, or that it lost. */
const FAILURE_OF_NODE = /\bto the (remote )?node\b|\bto the remote\b/

function isFailureOfNode(error: unknown): boolean {
  return error instanceof Error && FAILURE_OF_NODE.test(error.message)
}
