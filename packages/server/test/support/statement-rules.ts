import { DISTRIBUTED, UNDISTRIBUTED } from '../../src/storage/distributed/placement.ts'
import { flatten, isQuery, readSql, type SqlNode, splitAt, tablesOf } from './sql-tree.ts'

/*
 * Checks by the text of a statement whether a store that is distributed by organization can carry
 * it out (docs/adr/0027). The numbers are those of the rules there.
 */

export interface Breach {
  readonly rule: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  readonly what: string
}

/** A use of a distributed table. */
interface Use {
  readonly table: string
  readonly alias: string
  isBound: boolean
  readonly sameAs: Use[]
}

export function breachesOf(text: string): Breach[] {
  const nodes = readSql(text)
  const words = flatten(nodes)
  const uses: Use[] = []
  readQuery(nodes, [], uses)
  const unbound = uses.filter((use) => !isBound(use)).map(({ table }) => table)
  const breaches: (Breach | false)[] = [
    ...unbound.map((table) => ({ rule: 1, what: `${table} without its organization` }) as const),
    hasInsertInCte(nodes) && { rule: 2, what: 'an insert that is not a statement of its own' },
    hasQueryInValues(nodes) && { rule: 2, what: 'a query within values' },
    hasFolding(nodes, words) && { rule: 3, what: 'a parameter decides whether a part is done' },
    hasArithmetic(words) && { rule: 4, what: 'arithmetic with times' },
    isUnstable(words) && { rule: 4, what: 'an update with a function that is not immutable' },
    locks(words) && unbound.length > 0 && { rule: 5, what: 'locks rows of several organizations' },
    / on constraint /.test(words.join(' ')) && { rule: 6, what: 'names a constraint' },
    words.includes('recursive') && unbound.length > 0 && { rule: 7, what: 'recursion over all' },
    mixesPlaces(nodes) && { rule: 8, what: 'joins tables of two places' },
    words.includes('pg_notify') && uses.length > 0 && { rule: 9, what: 'notifies from a table' },
  ]
  return breaches.filter((breach) => breach !== false)
}

/** Collects the tables that the query uses, and the conditions on their organization. */
function readQuery(nodes: readonly SqlNode[], outer: readonly Use[], all: Use[]): void {
  const isUnion = (node: SqlNode): boolean => node === 'union' || node === 'conflict'
  for (const part of splitAt(nodes, isUnion)) {
    const isInsert = part.includes('insert')
    const [target = [], source = []] = isInsert ? splitInsert(part) : [[], part]
    const own = usesIn(source)
    const known = [...own, ...outer]
    bind(source, own, known)
    const written = usesIn(target)
    for (const use of written) use.isBound = isInsertBound(use, target, source, known)
    all.push(...own, ...written)
    for (const inner of queriesIn(part)) readQuery(inner, known, all)
  }
}

/** Splits an insert into its target (table and columns) and the source of its rows. */
function splitInsert(part: readonly SqlNode[]): SqlNode[][] {
  const begin = part.indexOf('insert')
  const from = part.findIndex(
    (node, index) => index > begin && (node === 'select' || node === 'values'),
  )
  return [part.slice(begin, from), part.slice(from)]
}

function usesIn(nodes: readonly SqlNode[]): Use[] {
  return tablesOf(nodes)
    .filter(({ table }) => DISTRIBUTED.has(table))
    .map((use) => ({ ...use, isBound: false, sameAs: [] }))
}

/** Queries within parentheses, at any depth. */
function queriesIn(nodes: readonly SqlNode[]): (readonly SqlNode[])[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return isQuery(node) ? [node] : queriesIn(node)
  })
}

function bind(nodes: readonly SqlNode[], own: readonly Use[], known: readonly Use[]): void {
  for (const [index, node] of nodes.entries()) {
    if (node !== '=') continue
    const [left, right] = [nodes[index - 1], nodes[index + 1]]
    const [a, b] = [useOf(left, own, known), useOf(right, own, known)]
    if (a && isParameter(right)) a.isBound = true
    if (a && b) {
      a.sameAs.push(b)
      b.sameAs.push(a)
    }
  }
}

/** The table whose organization the column is; a column without a prefix belongs to the only table. */
function useOf(
  column: SqlNode | undefined,
  own: readonly Use[],
  known: readonly Use[],
): Use | undefined {
  if (typeof column !== 'string') return undefined
  const [name = '', alias] = column.split('.').reverse()
  const candidates = alias === undefined ? own : known.filter((use) => use.alias === alias)
  return candidates.find(({ table }) => DISTRIBUTED.get(table) === name)
}

function isParameter(node: SqlNode | undefined): boolean {
  return typeof node === 'string' && node.startsWith('$')
}

function isBound(use: Use, seen: ReadonlySet<Use> = new Set()): boolean {
  if (use.isBound) return true
  const next = new Set([...seen, use])
  return use.sameAs.some((other) => !seen.has(other) && isBound(other, next))
}

/** The organization must be the first column, and a parameter or the organization of a source table. */
function isInsertBound(
  { table }: Use,
  target: readonly SqlNode[],
  source: readonly SqlNode[],
  known: readonly Use[],
): boolean {
  const columns = target.find((node) => typeof node !== 'string')
  if (columns?.[0] !== DISTRIBUTED.get(table)) return false
  const first = firstValue(source)
  const read = useOf(first, known, known)
  return isParameter(first) || (read !== undefined && isBound(read))
}

function firstValue(source: readonly SqlNode[]): SqlNode | undefined {
  const values = source.find((node) => typeof node !== 'string')
  if (source[0] === 'values') return values?.[0]
  // `select distinct on (…)` comes before the selected columns.
  return source[1] === 'distinct' ? source[4] : source[1]
}

function commonTables(nodes: readonly SqlNode[]): (readonly SqlNode[])[] {
  return nodes[0] === 'with' ? nodes.filter(isQuery) : []
}

function hasInsertInCte(nodes: readonly SqlNode[]): boolean {
  return commonTables(nodes).some((cte) => cte.includes('insert'))
}

function hasQueryInValues(nodes: readonly SqlNode[]): boolean {
  const values = nodes[nodes.indexOf('values') + 1]
  return nodes.includes('values') && typeof values === 'object' && values.some(isQuery)
}

/**
 * Whether a query joins tables of the workers with tables of the coordinator. A query of a `with` that
 * reads only the coordinator's is carried out before the rest.
 */
function mixesPlaces(nodes: readonly SqlNode[]): boolean {
  const apart = commonTables(nodes)
  const rest = nodes.filter((node) => !apart.some((cte) => cte === node))
  return [rest, ...apart].some((part) => {
    const tables = namesIn(part)
    return (
      tables.some((name) => DISTRIBUTED.has(name)) &&
      tables.some((name) => UNDISTRIBUTED.includes(name))
    )
  })
}

function namesIn(nodes: readonly SqlNode[]): string[] {
  return [...tablesOf(nodes).map(({ table }) => table), ...queriesIn(nodes).flatMap(namesIn)]
}

/** An update of several rows: PostgreSQL calls the cast of a text to an array, and these functions, stable. */
function isUnstable(words: readonly string[]): boolean {
  const text = words.join(' ')
  return (
    words[0] === 'update' && /\b[a-z_]+\.\w+ :: \w+ \[|\b(jsonb_build_object|to_jsonb)\b/.test(text)
  )
}

function hasFolding(nodes: readonly SqlNode[], words: readonly string[]): boolean {
  const isModifying = commonTables(nodes).some(([first]) => first !== 'select' && first !== 'with')
  const text = words.join(' ')
  const decides = /\b(where|and|or) (not )?\$\d+( :: \w+( \[ \])?)?( is (not )?null| and | or |$)/
  // A condition on parameters alone is decided before the statement is sent to a worker.
  const isOfParameters = /\b(where|and|or) \$\d+( :: \w+)? (=|<>) \$\d+/.test(text)
  return (isModifying && decides.test(text)) || (words.includes('insert') && isOfParameters)
}

function hasArithmetic(words: readonly string[]): boolean {
  const text = words.join(' ')
  const withTimes = /\binterval\b|(\bat|_at|_until) [+-]|[+-] (\w+\.)?(at|\w+_at|\w+_until)\b/
  return words.includes('update') && withTimes.test(text)
}

function locks(words: readonly string[]): boolean {
  return /\bfor (no key )?(update|(key )?share)\b/.test(words.join(' '))
}
