import { parseSync } from 'rolldown/utils'

/** One small change of a source file, which a test should notice. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly replacement: string
  readonly line: number
  readonly before: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

type Change = Pick<Mutation, 'start' | 'end' | 'replacement'>

const OPERATORS: Readonly<Record<string, string>> = {
  '>': '>=',
  '>=': '>',
  '<': '<=',
  '<=': '<',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '+=': '-=',
  '-=': '+=',
  '&&': '||',
  '||': '&&',
}

/** All mutations of a TypeScript source, in the order of its text. */
export function mutationsOf(file: string, text: string): readonly Mutation[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const changes: Change[] = []
  visit(program as unknown as Node, (node, parent) => {
    if (!isDecidedByParent(node, parent)) changes.push(...changesOf(node, text))
  })
  const unique = new Map(changes.map((change) => [JSON.stringify(change), change]))
  return [...unique.values()]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => ({
      ...change,
      line: text.slice(0, change.start).split('\n').length,
      before: text.slice(change.start, change.end),
    }))
}

export function applyMutation(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function changesOf(node: Node, text: string): readonly Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operatorChanges(node, text)
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [replace(node, String(!node['value']))] : []
    case 'ConditionalExpression':
    case 'IfStatement':
      return conditionChanges(node)
    case 'CallExpression':
      return callChanges(node)
    default:
      return []
  }
}

/**
 * A whole condition becomes true and false. A test that notices both also notices an equality that is
 * the other way round, so that mutant would only take time.
 */
function isDecidedByParent(node: Node, parent: Node | undefined): boolean {
  const isEquality = node['operator'] === '===' || node['operator'] === '!=='
  return isEquality && parent !== undefined && parent['test'] === node
}

function operatorChanges(node: Node, text: string): readonly Change[] {
  const operator = String(node['operator'])
  const other = OPERATORS[operator]
  const [left, right] = [child(node, 'left'), child(node, 'right')]
  if (other === undefined || !left || !right) return []
  if (operator.startsWith('+') && (isText(left) || isText(right))) return []
  const start = text.indexOf(operator, left.end)
  return [{ start, end: start + operator.length, replacement: other }]
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || typeof node['value'] === 'string'
}

/** `false` also removes an early return: `if (false) return` is no return. */
function conditionChanges(node: Node): readonly Change[] {
  const test = child(node, 'test')
  return test ? [replace(test, 'true'), replace(test, 'false')] : []
}

function callChanges(node: Node): readonly Change[] {
  const callee = child(node, 'callee')
  const object = callee && child(callee, 'object')
  const property = callee && child(callee, 'property')
  if (callee?.type !== 'MemberExpression' || !object || !property) return []
  const name = property['name']
  if (name === 'filter') return [{ start: object.end, end: node.end, replacement: '' }]
  if (object['name'] !== 'Math' || (name !== 'max' && name !== 'min')) return []
  return [replace(property, name === 'max' ? 'min' : 'max')]
}

function replace({ start, end }: Node, replacement: string): Change {
  return { start, end, replacement }
}

function child(node: Node, field: string): Node | undefined {
  const value = node[field]
  return isNode(value) ? value : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Types are left out, since no test can see them. */
function visit(node: Node, see: (node: Node, parent?: Node) => void, parent?: Node): void {
  if (node.type.startsWith('TS') && !('expression' in node)) return
  see(node, parent)
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (isNode(item)) visit(item, see, node)
    }
  }
}
