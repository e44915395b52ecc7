import type { PackageRules } from './packages.ts'

/**
 * The content of ARCHITECTURE.md: the folders of the server, and which part and package may import
 * which.
 */
export interface Described {
  readonly folders: readonly string[]
  readonly mayImport: ReadonlyMap<string, readonly string[]>
  readonly packages: ReadonlyMap<string, PackageRules>
}

const TREE = '## The server'
const TABLE = '## Who may import whom'
const PACKAGES = '## Which package imports which'

export function readDocument(text: string): Described {
  return {
    folders: foldersIn(sectionOf(text, TREE)),
    mayImport: importsIn(sectionOf(text, TABLE)),
    packages: packagesIn(sectionOf(text, PACKAGES)),
  }
}

export function sectionOf(text: string, heading: string): string {
  const [, rest = ''] = text.split(`${heading}\n`)
  return rest.split('\n## ')[0] ?? ''
}

/** Reads the indented tree: each line is a folder, a wide gap, and a description. */
export function foldersIn(section: string): string[] {
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

/** Reads the rows `| part, part | may import |`. Names that are not parts are prose. */
function importsIn(section: string): Map<string, readonly string[]> {
  const rows = [...section.matchAll(/^\| (`.+?) \| (.+) \|$/gm)]
  const parts = new Set(rows.flatMap(([, names = '']) => namesIn(names)))
  const entries = rows.flatMap(([, names = '', others = '']) => {
    const targets = others === 'every part' ? [...parts] : namesIn(others)
    return namesIn(names).map((part) => [part, targets.filter((name) => parts.has(name))] as const)
  })
  return new Map(entries)
}

/** Reads the rows `| package | may import |`. A name followed by `lazily` is loaded on demand. */
function packagesIn(section: string): Map<string, PackageRules> {
  const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)]
  return new Map(
    rows.map(([, name = '', others = '']) => {
      const lazily = [...others.matchAll(/`([^`]+)` lazily/g)].map(([, target = '']) => target)
      return [name, { mayImport: namesIn(others), lazily }]
    }),
  )
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}
