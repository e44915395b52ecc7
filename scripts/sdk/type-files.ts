import { commentOf } from './comment.ts'
import { type OpenApi, referencesOf, type Schema } from './document.ts'
import { withFieldWords } from './field-words.ts'
import { COMMON, fileOf, findHomes, WEBHOOKS_FILE, webhooksOf } from './homes.ts'
import type { Operation } from './operations.ts'
import { fieldsOf, typeOf, unionOf } from './write-type.ts'

/** The types of one file: their text by their names, and the names that they use. */
interface TypeFile {
  readonly types: Map<string, string>
  readonly uses: Set<string>
}

/** The name of the union of all webhooks, which the document only lists. */
const WEBHOOKS = 'WebhookEvent'

/** The files of types by their names, and `index`, which exports all of them. */
export function createTypeFiles(
  document: OpenApi,
  operations: readonly Operation[],
): Map<string, string> {
  const homes = findHomes(document, operations)
  const files = new Map<string, TypeFile>()
  const add = (file: string, name: string, schema: Schema) => {
    const { types, uses } = files.get(file) ?? { types: new Map(), uses: new Set() }
    files.set(file, { types, uses })
    types.set(name, declare(name, withFieldWords(document, schema)))
    for (const used of referencesOf(schema)) uses.add(used)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const home = homes.get(name)
    if (home !== undefined) add(home, name, schema)
  }
  for (const { tag, query } of operations) {
    if (query?.title !== undefined) add(fileOf(tag), query.title, query)
  }
  const webhooks = webhooksOf(document)
  if (webhooks.length > 0) {
    add(WEBHOOKS_FILE, WEBHOOKS, {
      description: 'The body of a webhook. Its `event` tells the kinds apart.',
      oneOf: webhooks.map(([, name]) => ({ $ref: `#/components/schemas/${name}` })),
    })
  }
  const sorted = [...files].sort(([a], [b]) => compare(a, b))
  return new Map([
    ...sorted.map(([file, types]): [string, string] => [file, write(file, types, homes)]),
    ['index', writeIndex(sorted)],
  ])
}

/** The declaration of a type with its comment: an interface if the schema has fields. */
export function declare(name: string, schema: Schema): string {
  const comment = commentOf(schema.description)
  const isObject = schema.type === 'object' && schema.properties !== undefined
  if (isObject) return `${comment}export interface ${name} {\n${fieldsOf(schema)}}\n`
  const type = schema.oneOf ? unionOf(schema.oneOf.map((one) => typeOf(one))) : typeOf(schema)
  return `${comment}export type ${name} =${type.startsWith('\n') ? '' : ' '}${type}\n`
}

function write(file: string, { types, uses }: TypeFile, homes: Map<string, string>): string {
  const imports = new Map<string, string[]>()
  for (const name of [...uses].sort(compare)) {
    const home = homes.get(name) ?? COMMON
    if (home !== file) imports.set(home, [...(imports.get(home) ?? []), name])
  }
  const lines = [...imports]
    .sort(([a], [b]) => compare(a, b))
    .map(([home, names]) => importOf(names, `./${home}.ts`))
  return [HEADER, lines.join(''), [...types.values()].join('\n')]
    .filter((part) => part !== '')
    .join('\n')
}

function writeIndex(files: readonly (readonly [string, TypeFile])[]): string {
  const lines = files.map(([file, { types }]) => {
    const names = [...types.keys()].sort(compare)
    return `export type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${file}.ts'\n`
  })
  return `${HEADER}\n${lines.join('')}`
}

export const HEADER =
  '// Written by `npm run generate` from openapi.json. Do not change it by hand.\n'

export function importOf(names: readonly string[], from: string): string {
  const line = `import type { ${names.join(', ')} } from '${from}'\n`
  if (line.length <= 101) return line
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}'\n`
}

/** Sorts names by their letters, whatever their case or the language of the machine. */
export function compare(a: string, b: string): number {
  const [lowA, lowB] = [a.toLowerCase(), b.toLowerCase()]
  if (lowA !== lowB) return lowA < lowB ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
