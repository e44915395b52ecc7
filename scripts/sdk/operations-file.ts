import type { Operation } from './operations.ts'
import { buildTree, type Tree } from './tree.ts'
import { HEADER } from './type-files.ts'

const WORDS = `/**
 * Every operation of the API by its name: the HTTP method, the path below \`/api/v1\`, and what the
 * client must know about it. \`body\` or \`query\`: where the input goes. \`list\`: the input is a
 * query, and the answer a page. \`offset\`: the pages follow by \`offset\`, since the list has no
 * cursor. \`decision\`: the answer is a decision on a spend. \`stream\`: the answer is a stream.
 */
`

/** The table that the client builds its methods from. */
export function createOperationsFile(operations: readonly Operation[]): string {
  const table = write(buildTree(operations), '')
  return `${HEADER}\n${WORDS}export const OPERATIONS = ${table} as const\n`
}

function write(tree: Tree<Operation>, indent: string): string {
  const inner = `${indent}  `
  const lines = [...tree].map(([name, entry]) => {
    const value = entry instanceof Map ? write(entry, inner) : `'${lineOf(entry)}'`
    return `${inner}${name}: ${value},\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function lineOf({ method, path, query, body, paging, isDecision, isStream }: Operation): string {
  return [
    ...[method, path],
    ...(body ? ['body'] : []),
    ...(query && !paging ? ['query'] : []),
    ...(paging ? ['list'] : []),
    ...(paging === 'offset' ? ['offset'] : []),
    ...(isDecision ? ['decision'] : []),
    ...(isStream ? ['stream'] : []),
  ].join(' ')
}
