/** A word or sign of SQL, or the content of parentheses. */
export type SqlNode = string | readonly SqlNode[]

/** A table as a part of a statement names it. */
export interface TableUse {
  readonly table: string
  /** The prefix of its columns; the table's own name if it has no alias. */
  readonly alias: string
}

const TOKEN = /\$\d+|[a-z_][a-z0-9_]*(?:\.(?:[a-z_][a-z0-9_]*|\*))*|\d+|::|[<>=!]+|[^\s]/g

/** Parses SQL without its comments, and with every literal as `''`. */
export function readSql(text: string): readonly SqlNode[] {
  const plain = text
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^']|'')*'/g, " '' ")
    .toLowerCase()
  const tokens = plain.match(TOKEN) ?? []
  let at = 0
  function readList(): readonly SqlNode[] {
    const nodes: SqlNode[] = []
    while (at < tokens.length) {
      const token = tokens[at++] ?? ''
      if (token === ')') return nodes
      nodes.push(token === '(' ? readList() : token)
    }
    return nodes
  }
  return readList()
}

const QUERY = new Set(['select', 'insert', 'update', 'delete', 'with'])

export function isQuery(node: SqlNode): node is readonly SqlNode[] {
  return typeof node !== 'string' && typeof node[0] === 'string' && QUERY.has(node[0])
}

/** Every word and sign in it, in order. */
export function flatten(nodes: readonly SqlNode[]): string[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [node] : flatten(node)))
}

const ENDS_TABLES = new Set([
  ...[
    'where',
    'set',
    'on',
    'order',
    'group',
    'limit',
    'returning',
    'for',
    'values',
    'select',
    'do',
  ],
])
const NO_ALIAS = new Set([
  ...[...ENDS_TABLES, 'join', 'left', 'inner', 'cross', 'using', 'with', 'lateral', 'from', 'only'],
])

/** The tables that a query names itself, not those of its subqueries. */
export function tablesOf(nodes: readonly SqlNode[]): TableUse[] {
  let isListed = false
  return nodes.flatMap((node, index) => {
    const begins = beginsTable(nodes, index)
    isListed = begins || (isListed && !(typeof node === 'string' && ENDS_TABLES.has(node)))
    return begins || (isListed && node === ',') ? tableAt(nodes, index + 1) : []
  })
}

function tableAt(nodes: readonly SqlNode[], index: number): TableUse[] {
  const table = nodes[index]
  // A name before parentheses is a function, unless these are the columns of an insert.
  const isFunction = typeof nodes[index + 1] === 'object' && nodes[index - 1] !== 'into'
  if (typeof table !== 'string' || NO_ALIAS.has(table) || isFunction) return []
  return [{ table, alias: aliasAfter(nodes, index + 1) ?? table }]
}

/** `for update`, `do update` and `is distinct from` name no table. */
function beginsTable(nodes: readonly SqlNode[], index: number): boolean {
  const before = nodes[index - 1]
  switch (nodes[index]) {
    case 'join':
    case 'into':
    case 'using':
      return true
    case 'from':
      return before !== 'distinct'
    case 'update':
      return before !== 'for' && before !== 'key' && before !== 'do'
    default:
      return false
  }
}

function aliasAfter(nodes: readonly SqlNode[], index: number): string | undefined {
  const next = nodes[index] === 'as' ? nodes[index + 1] : nodes[index]
  const isName = typeof next === 'string' && /^[a-z_]/.test(next) && !NO_ALIAS.has(next)
  return isName ? next : undefined
}

/** Splits the list at the separators: `union`, or the source of an insert. */
export function splitAt(
  nodes: readonly SqlNode[],
  isSeparator: (node: SqlNode, index: number) => boolean,
): SqlNode[][] {
  const parts: SqlNode[][] = [[]]
  for (const [index, node] of nodes.entries()) {
    if (isSeparator(node, index)) parts.push([])
    parts.at(-1)?.push(node)
  }
  return parts
}
