import type { ASTNode } from '@marcbachmann/cel-js'
import { parseMicros } from '../../money.ts'
import { FUNCTIONS, MACROS, METHODS } from './vocabulary.ts'

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

/**
 * Why a parsed expression may not run, or undefined. Every function that is not in the vocabulary
 * is forbidden, so that a function that the package gains later is not allowed by accident.
 */
export function findForbidden(root: ASTNode): string | undefined {
  for (const node of nodesOf(root)) {
    const reason = forbiddenIn(node)
    if (reason !== undefined) return reason
  }
  // The cost of a macro is multiplied by the cost of the macro around it. One level is linear.
  if (macroDepth(root) > 1) return '`all`, `exists` and `exists_one` cannot be nested'
  return undefined
}

/** The node and all its descendants, in the order in which they are written. */
export function nodesOf(root: ASTNode): ASTNode[] {
  const found: ASTNode[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(node)
    open.push(...childrenOf(node).toReversed())
  }
  return found
}

/**
 * The names that an expression reads: `amount`, `spent.day`, or `spent` where the record is used as
 * a whole. The variable of a macro is also among the names, which does no harm.
 */
export function namesIn(node: ASTNode): ReadonlySet<string> {
  const names = new Set<string>()
  collectNames(node, names)
  return names
}

/**
 * Whether an amount is compared with a plain number. Amounts are in millionths, so `amount > 20` is
 * true for nearly every spend, which is probably not what the author meant.
 */
export function comparesBareAmount(node: ASTNode): boolean {
  if (!COMPARISONS.has(node.op)) return false
  const operands = childrenOf(node)
  return operands.some(isAmount) && operands.some(isBareNumber)
}

function collectNames(node: ASTNode, names: Set<string>): void {
  if (node.op === 'id') {
    names.add(node.args)
  } else if (node.op === '.' && node.args[0].op === 'id') {
    names.add(`${node.args[0].args}.${node.args[1]}`)
  } else {
    for (const child of childrenOf(node)) collectNames(child, names)
  }
}

function forbiddenIn(node: ASTNode): string | undefined {
  switch (node.op) {
    case 'value':
      return forbiddenValue(node.args)
    case 'call':
      return forbiddenCall(node.args[0], node.args[1])
    case 'rcall':
      return Object.hasOwn(METHODS, node.args[0])
        ? undefined
        : unknownFunction(node.args[0], METHODS)
    case '.?':
    case '[?]':
      return 'optional access is not supported'
    default:
      return undefined
  }
}

// Fractions would bring binary rounding into comparisons of money.
function forbiddenValue(value: unknown): string | undefined {
  if (typeof value === 'number') return "a number with a fraction must be written money('20.50')"
  const known = typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean'
  return known ? undefined : 'only texts, whole numbers, true and false are supported as values'
}

function forbiddenCall(name: string, args: readonly ASTNode[]): string | undefined {
  if (!Object.hasOwn(FUNCTIONS, name)) return unknownFunction(name, FUNCTIONS)
  if (name !== 'money') return undefined
  // A text that is already known is checked here, not when a payment depends on it.
  const [text] = args
  const literal = text?.op === 'value' && typeof text.args === 'string' ? text.args : ''
  if (parseMicros(literal) !== undefined) return undefined
  return "`money` takes an amount in quotes with at most six decimals, such as money('20.50')"
}

function unknownFunction(name: string, known: object): string {
  const names = Object.keys(known).sort().join(', ')
  return `the function \`${name}\` is not supported (available: ${names})`
}

function macroDepth(node: ASTNode): number {
  const below = Math.max(0, ...childrenOf(node).map(macroDepth))
  return node.op === 'rcall' && Object.hasOwn(MACROS, node.args[0]) ? below + 1 : below
}

export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    case '!_':
    case '-_':
      return [node.args]
    // The remaining operators hold a list of their operands.
    default:
      return node.args
  }
}

function isAmount(node: ASTNode): boolean {
  if (node.op === 'id') return node.args === 'amount'
  return node.op === '.' && node.args[0].op === 'id' && node.args[0].args === 'spent'
}

function isBareNumber(node: ASTNode): boolean {
  return node.op === 'value' && typeof node.args === 'bigint' && node.args !== 0n
}
