import type { ASTNode } from '@marcbachmann/cel-js'
import { childrenOf } from './guard.ts'
import { MACROS, PARSER_LIMITS, TAGS_MAX, TEXT_LENGTH_MAX } from './vocabulary.ts'

/**
 * The maximum cost of judging one spend by all expressions of a mandate (ADR 23). A unit takes at
 * most a quarter of a microsecond, so all of them take at most about three milliseconds. A usual
 * expression costs less than a hundred units.
 */
export const EXPRESSIONS_COST_MAX = 12_000

/** The cost of every evaluation, such as checking the sizes of all inputs. */
const COST_OF_ANY = 20
/** A whole text is read, and some functions read it character by character. */
const COST_OF_TEXT = TEXT_LENGTH_MAX / 8
/** The text of an amount is parsed on each evaluation. */
const COST_OF_MONEY = 8
const COST_OF_MAP_ENTRY = 4
/** Functions that read every character of a text. */
const READS_ALL: ReadonlySet<string> = new Set(['contains', 'lowerAscii', 'size'])
/** No list in an expression or in its inputs is longer. */
const SIZE_MAX = Math.max(TAGS_MAX, PARSER_LIMITS.maxListElements)

/**
 * The maximum cost of an expression, whatever the spend is: no part of it is skipped, and every
 * input is as large as it can be. It follows from the text alone, so the author learns it before a
 * payment depends on it.
 */
export function costOf(root: ASTNode): number {
  return COST_OF_ANY + costOfNode(root)
}

function costOfNode(node: ASTNode): number {
  if (node.op === 'rcall' && Object.hasOwn(MACROS, node.args[0])) {
    const [, list, [, ...bodies]] = node.args
    return costOfNode(list) + (sizeOf(list) ?? SIZE_MAX) * (1 + sumOf(bodies))
  }
  return 1 + ownCostOf(node) + sumOf(childrenOf(node))
}

function sumOf(nodes: readonly ASTNode[]): number {
  return nodes.reduce((sum, node) => sum + costOfNode(node), 0)
}

/** The cost of a node without its children. */
function ownCostOf(node: ASTNode): number {
  switch (node.op) {
    case 'call':
      return costOfCall(node.args[0], node.args[1])
    case 'rcall':
      return costOfCall(node.args[0], [node.args[1]])
    case 'map':
      return node.args.length * COST_OF_MAP_ENTRY
    case 'in':
      return sizeOf(node.args[1]) ?? SIZE_MAX
    case '==':
    case '!=':
      return Math.max(...node.args.map((operand) => sizeOf(operand) ?? 1))
    default:
      return 0
  }
}

function costOfCall(name: string, [value]: readonly ASTNode[]): number {
  if (name === 'money') return COST_OF_MONEY
  const isList = value !== undefined && sizeOf(value) !== undefined
  return READS_ALL.has(name) && !isList ? COST_OF_TEXT : 1
}

/** The number of entries of a list or a map, if the text shows it. */
function sizeOf(node: ASTNode): number | undefined {
  switch (node.op) {
    case 'list':
    case 'map':
      return node.args.length
    case '.':
      return node.args[1] === 'tags' ? TAGS_MAX : undefined
    default:
      return undefined
  }
}
