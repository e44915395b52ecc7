import { expect, test } from 'vitest'
import { isCrowded } from '../../../src/storage/distributed/crowd.ts'
import {
  type NodeState,
  newNodeState,
  type Running,
} from '../../../src/storage/distributed/node-state.ts'

const NOW = 100_000
const USES_MAX = 4

const aUse = (): Running => ({ beganAt: NOW, cut: () => {} })
const uses = (count: number): Running[] => Array.from({ length: count }, aUse)

/** A node whose oldest statement has waited this long since the node last answered one. */
function aNode(silentForMs: number | undefined, running: readonly Running[]): NodeState {
  const node = newNodeState({ host: '127.0.0.1', port: 5432 })
  node.silentSince = silentForMs === undefined ? undefined : NOW - silentForMs
  for (const use of running) node.running.add(use)
  return node
}

const isRefused = (node: NodeState, ...others: readonly NodeState[]): boolean =>
  isCrowded(node, [node, ...others], USES_MAX, NOW)

test('a node that hangs gets no more than its share of the connections', () => {
  expect(isRefused(aNode(1_001, uses(3)))).toBe(false)
  expect(isRefused(aNode(1_001, uses(4)))).toBe(true)
})

test('nodes that hang share it', () => {
  expect(isRefused(aNode(1_001, uses(2)), aNode(1_001, uses(2)))).toBe(true)
})

test('a list that waits for both of them is one connection', () => {
  const lists = uses(2)
  expect(isRefused(aNode(1_001, lists), aNode(1_001, lists))).toBe(false)
})

test('a node that is only late is refused nothing because another one hangs', () => {
  const hanging = aNode(2_000, uses(4))
  expect(isRefused(aNode(1_000, uses(3)), hanging)).toBe(false)
  expect(isRefused(aNode(undefined, []), hanging)).toBe(false)
})

test('connections of a node that answers do not count', () => {
  expect(isRefused(aNode(1_001, uses(3)), aNode(900, uses(3)))).toBe(false)
})
