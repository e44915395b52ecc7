import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
} from 'yaml'
import type { FileMistake, PathStep } from './mistake.ts'

/** A value of a file that knows the lines of its parts. */
export interface FileDocument {
  readonly file: string
  readonly value: unknown
  /** The line of a part. A part that is missing has the line of the value that should contain it. */
  lineOf(path: readonly PathStep[]): number
}

/** The documents of a text in YAML or JSON, which is a part of YAML. */
export interface ParsedText {
  readonly documents: readonly FileDocument[]
  readonly mistakes: readonly FileMistake[]
}

/** The most that aliases may repeat, so that a small file cannot become a huge value. */
const ALIASES_MAX = 100

export function parseText(file: string, text: string): ParsedText {
  const lines = new LineCounter()
  // A text without a document has an empty list here, with other fields.
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })
  const found: readonly Document.Parsed[] = Array.isArray(parsed) ? parsed : []
  const mistakes = found.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ pos, message }) => ({
      file,
      line: lines.linePos(pos[0]).line,
      field: '',
      message: `is not valid YAML: ${message.replace(/\s+/g, ' ')}`,
    })),
  )
  if (mistakes.length > 0) return { documents: [], mistakes }
  const filled = found.filter(({ contents }) => !isEmpty(contents))
  return readValues(file, filled, lines)
}

function readValues(
  file: string,
  found: readonly Document.Parsed[],
  lines: LineCounter,
): ParsedText {
  const documents: FileDocument[] = []
  const mistakes: FileMistake[] = []
  for (const document of found) {
    const lineOf = (path: readonly PathStep[]) => lines.linePos(offsetOf(document, path)).line
    try {
      const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX })
      documents.push({ file, value, lineOf })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      mistakes.push({ file, line: lineOf([]), field: '', message: `cannot be read: ${message}` })
    }
  }
  return { documents, mistakes }
}

function isEmpty(contents: Node | null): boolean {
  return contents === null || (isScalar(contents) && contents.value === null)
}

function offsetOf(document: Document.Parsed, path: readonly PathStep[]): number {
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const step of path) {
    const place = placeOf(isAlias(node) ? node.resolve(document) : node, step)
    if (!place) break
    node = place.value
    offset = place.offset ?? offset
  }
  return offset
}

function placeOf(
  node: unknown,
  step: PathStep,
): { value: unknown; offset: number | undefined } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((each: Pair) => keyOf(each) === String(step))
    return pair && { value: pair.value, offset: startOf(pair.key) }
  }
  if (!isSeq(node) || typeof step !== 'number') return undefined
  const value = node.items[step]
  return value === undefined ? undefined : { value, offset: startOf(value) }
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key)
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
