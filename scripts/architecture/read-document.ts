/** What ARCHITECTURE.md says of the server: its folders, and which part may import which. */
export interface Described {
  readonly folders: readonly string[]
  readonly mayImport: ReadonlyMap<string, readonly string[]>
}

const TREE = '## The server'
const TABLE = '## Who may import whom'

export function readDocument(text: string): Described {
  return { folders: foldersIn(sectionOf(text, TREE)), mayImport: importsIn(sectionOf(text, TABLE)) }
}

function sectionOf(text: string, heading: string): string {
  const [, rest = ''] = text.split(`${heading}\n`)
  return rest.split('\n## ')[0] ?? ''
}

/** Reads the indented tree: each line is a folder, a wide gap, and what the folder holds. */
function foldersIn(section: string): string[] {
  const above: { readonly indent: number; readonly path: string }[] = []
  return section
    .split('\n')
    .filter((line) => /^ {4,}\S+\/( {2,}|$)/.test(line))
    .map((line) => {
      const indent = line.search(/\S/)
      const [name = ''] = line.trim().split(/ {2,}/)
      while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
      const path = (above.at(-1)?.path ?? '') + name
      above.push({ indent, path })
      return path
    })
    .filter((path) => path !== 'src/')
    .map((path) => path.replace(/^src\//, '').replace(/\/$/, ''))
}

/** Reads the rows `| part, part | may import |`. Names that are no parts are prose. */
function importsIn(section: string): Map<string, readonly string[]> {
  const rows = [...section.matchAll(/^\| (`.+?) \| (.+) \|$/gm)]
  const parts = new Set(rows.flatMap(([, names = '']) => namesIn(names)))
  const entries = rows.flatMap(([, names = '', others = '']) => {
    const targets = others === 'every part' ? [...parts] : namesIn(others)
    return namesIn(names).map((part) => [part, targets.filter((name) => parts.has(name))] as const)
  })
  return new Map(entries)
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}
