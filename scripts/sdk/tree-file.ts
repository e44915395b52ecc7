import { commentOf } from './comment.ts'
import { nameOf, type OpenApi, referencesOf, resolve, type Schema } from './document.ts'
import type { Operation } from './operations.ts'
import { buildTree, type Tree } from './tree.ts'
import { compare, HEADER, importOf } from './type-files.ts'
import { typeOf } from './write-type.ts'

/** The name of the interface that holds all groups of methods. */
const ROOT = 'Api'

/**
 * The types of the methods: an interface for each resource. A stream has no method here, because its
 * type is not in the document: the client declares it.
 */
export function createTreeFile(document: OpenApi, operations: readonly Operation[]): string {
  const calls = operations.filter(({ isStream }) => !isStream)
  const interfaces: string[] = []
  writeInterface(document, buildTree(calls), [], interfaces)
  const used = calls.flatMap(({ query, body, answer, paging }) => [
    ...(query?.title !== undefined ? [query.title] : []),
    ...[body, answer].flatMap((schema) => (schema ? referencesOf(schema) : [])),
    ...(paging && answer ? itemNames(document, answer) : []),
  ])
  const shapes = [
    'CallOptions',
    ...(calls.some((one) => one.isDecision) ? ['DecisionCall'] : []),
    ...(calls.some((one) => one.paging) ? ['List'] : []),
    ...(calls.some((one) => !one.isDecision && !one.paging) ? ['Call'] : []),
  ]
  const imports = [
    importOf(shapes.sort(compare), '../client/call.ts'),
    importOf([...new Set(used)].sort(compare), './types/index.ts'),
  ]
  return `${HEADER}\n${imports.join('')}\n${interfaces.join('\n')}`
}

/** Writes the groups inside before their parent, and returns the name of the interface. */
function writeInterface(
  document: OpenApi,
  tree: Tree<Operation>,
  path: readonly string[],
  interfaces: string[],
): string {
  const name = path.length === 0 ? ROOT : `${path.map(capital).join('')}Api`
  const entries = [...tree].map(([word, entry]) => {
    if (!(entry instanceof Map)) return methodOf(document, word, entry)
    return `  readonly ${word}: ${writeInterface(document, entry, [...path, word], interfaces)}\n`
  })
  const isFlat = path.length === 0
  const words = isFlat ? 'The methods of the API.' : `The methods of \`${path.join('.')}\`.`
  interfaces.push(
    `${commentOf(words)}export interface ${name} {\n${entries.join(isFlat ? '' : '\n')}}\n`,
  )
  return name
}

function methodOf(document: OpenApi, word: string, operation: Operation): string {
  const { summary, description, codes, pathParameters, query, body, isInputRequired } = operation
  const comment = commentOf(
    [
      `${summary}.`,
      description,
      codes.length > 0 ? `Errors: ${codes.map((one) => `\`${one}\``).join(', ')}.` : '',
    ],
    '  ',
  )
  const mark = isInputRequired ? '' : '?'
  const parameters = [
    ...pathParameters.map((name) => `${name}: string`),
    ...(query?.title !== undefined ? [`query${mark}: ${query.title}`] : []),
    ...(body ? [`input${mark}: ${inputOf(body)}`] : []),
    'options?: CallOptions',
  ]
  const returned = returnedBy(document, operation)
  const line = `  ${word}(${parameters.join(', ')}): ${returned}\n`
  if (line.length <= 101) return comment + line
  return `${comment}  ${word}(\n${parameters.map((one) => `    ${one},\n`).join('')}  ): ${returned}\n`
}

/** An input that can be null in the API is optional in the SDK, so a caller leaves it out. */
function inputOf(body: Schema): string {
  const variants = body.anyOf?.filter(({ type }) => type !== 'null')
  return typeOf(variants ? { ...body, anyOf: variants } : body, '  ')
}

function returnedBy(document: OpenApi, { answer = {}, paging, isDecision }: Operation): string {
  const type = typeOf(answer, '  ')
  if (isDecision) return `DecisionCall<${type}>`
  if (!paging) return `Call<${type}>`
  return `List<${typeOf(itemsOf(document, answer), '  ')}, ${type}>`
}

function itemsOf(document: OpenApi, page: Schema): Schema {
  return resolve(document, page).properties?.['data']?.items ?? {}
}

function itemNames(document: OpenApi, page: Schema): string[] {
  const { $ref } = itemsOf(document, page)
  return $ref === undefined ? [] : [nameOf($ref)]
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
