import { createReader, type Declaration } from './read-declarations.ts'

const GENERATED = 'generated/'

/**
 * Lists every public name. A declaration by hand is shown whole, with the declarations that it uses,
 * because they are as public as it is. A generated type is only named: its fields are in
 * `openapi.json`, and a change of them is seen there.
 */
export function listSurface(folder: string, entries: ReadonlyMap<string, string>): string {
  const reader = createReader(folder)
  const shown = new Set<string>()
  const sections = [...entries].map(([entry, file]) => {
    const declarations = reader
      .exportsOf(file)
      .map((name) => required(reader.find(file, name), name))
    const byHand = withUsed(reader, declarations.filter(isByHand))
    const fresh = byHand.filter(({ file: home, name }) => !shown.has(`${home} ${name}`))
    for (const { file: home, name } of fresh) shown.add(`${home} ${name}`)
    const generated = declarations.filter((one) => !isByHand(one)).map(({ name }) => name)
    return [
      `# ${entry}`,
      ...(generated.length > 0 ? [`Generated types:\n${generated.join('\n')}`] : []),
      ...fresh.map(({ text }) => text),
    ].join('\n\n')
  })
  const tree = required(reader.find(`${GENERATED}tree.d.ts`, 'Api'), 'Api')
  const methods = listMethods(reader, tree, [])
  return `${[`# Generated methods\n\n${methods.join('\n')}`, ...sections].join('\n\n')}\n`
}

type Reader = ReturnType<typeof createReader>

/** Adds the declarations by hand that the given ones name. */
function withUsed(reader: Reader, declarations: readonly Declaration[]): Declaration[] {
  const all = new Map<string, Declaration>()
  const add = (declaration: Declaration): void => {
    const key = `${declaration.file} ${declaration.name}`
    if (all.has(key) || !isByHand(declaration)) return
    all.set(key, declaration)
    for (const word of new Set(declaration.text.match(/\b[A-Za-z_]\w*\b/g))) {
      const used = reader.find(declaration.file, word)
      if (used) add(used)
    }
  }
  declarations.forEach(add)
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** `agents.get(id: string, …): Call<Agent>` for every method in the tree. */
function listMethods(
  reader: Reader,
  { file, text }: Declaration,
  path: readonly string[],
): string[] {
  const body = text.slice(text.indexOf('{') + 1, text.lastIndexOf('}'))
  return body.split('\n').flatMap((line) => {
    const [, group, type] = line.match(/^\s*readonly (\w+): (\w+)$/) ?? []
    if (group !== undefined && type !== undefined) {
      return listMethods(reader, required(reader.find(file, type), type), [...path, group])
    }
    return line.trim() === '' ? [] : [[...path, line.trim()].join('.')]
  })
}

function isByHand({ file }: Declaration): boolean {
  return !file.startsWith(GENERATED)
}

function required(declaration: Declaration | undefined, name: string): Declaration {
  if (!declaration) throw new Error(`The declaration of ${name} is missing.`)
  return declaration
}
