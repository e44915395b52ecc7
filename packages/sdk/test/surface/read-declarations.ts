import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A declaration of a module that the compiler wrote, without comments. */
export interface Declaration {
  readonly name: string
  /** The file of the module, relative to the folder of all. */
  readonly file: string
  readonly text: string
}

interface Module {
  readonly file: string
  readonly declared: ReadonlyMap<string, string>
  /** The names that other modules declare: imports, and exports that are passed on. */
  readonly from: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  readonly exported: readonly string[]
}

const FROM = /^(import|export)( type)? (\{[^}]*\}|\*) from ['"](\.[^'"]+)['"];?$/gm
const DECLARED =
  /^(export )?(?:declare )?(?:abstract )?(?:class|interface|function|const|type|let) (\w+)/

/** Reads the declarations in a folder, which the compiler wrote from our sources. */
export function createReader(folder: string) {
  const modules = new Map<string, Module>()

  function read(file: string): Module {
    const known = modules.get(file)
    if (known) return known
    const text = withoutComments(readFileSync(join(folder, file), 'utf8'))
    const module = { file, ...parse(file, text) }
    modules.set(file, module)
    return module
  }

  /** The names that the module takes from others, and whether it passes them on. */
  function passedTo(file: string, text: string) {
    return [...text.matchAll(FROM)].flatMap(([, verb, , names = '', path = '']) => {
      const target = join(dirname(file), path).replace(/\.(js|ts)$/, '.d.ts')
      const taken = names === '*' ? read(target).exported : listNames(names)
      return taken.map((one) => {
        const [name = '', as = name] = one.split(' as ')
        return { name, as, file: target, isExported: verb === 'export' }
      })
    })
  }

  function parse(file: string, text: string): Omit<Module, 'file'> {
    const own = statementsOf(text.replace(FROM, '')).flatMap((statement) => {
      const [, isExported, name] = statement.match(DECLARED) ?? []
      return name === undefined ? [] : [{ name, isExported: Boolean(isExported), statement }]
    })
    const declared = new Map<string, string>()
    for (const { name, statement } of own) {
      // Overloads are one declaration.
      declared.set(name, [declared.get(name), tidy(statement)].filter(Boolean).join('\n'))
    }
    const passed = passedTo(file, text)
    const exported = [
      ...own.filter((one) => one.isExported).map(({ name }) => name),
      ...passed.filter((one) => one.isExported).map(({ as }) => as),
    ]
    const from = new Map(passed.map(({ as, name, file: target }) => [as, { file: target, name }]))
    return { declared, from, exported: [...new Set(exported)] }
  }

  /** Follows a name to the module that declares it. Undefined for a name of another package. */
  function find(file: string, name: string): Declaration | undefined {
    if (!existsSync(join(folder, file))) return undefined
    const module = read(file)
    const text = module.declared.get(name)
    if (text !== undefined) return { name, file, text }
    const origin = module.from.get(name)
    return origin && find(origin.file, origin.name)
  }

  return { exportsOf: (file: string) => read(file).exported.toSorted(), find }
}

function listNames(braces: string): string[] {
  return braces
    .replaceAll(/[{}\n]/g, '')
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

/** A statement begins at the margin and ends before the next one that does. */
function statementsOf(text: string): string[] {
  return text.split(/\n(?=[a-z])/).map((one) => one.trim())
}

/** Private members are no part of the surface. */
function tidy(statement: string): string {
  return statement
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(private |#private)/.test(line))
    .map((line) => line.replace(/^export (declare )?/, '').replace(/;$/, ''))
    .join('\n')
}
